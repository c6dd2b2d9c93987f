import { Component, type ReactNode } from 'react'
import { texts } from '../texts/index.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Shown when a part of the page cannot be loaded: the service does not answer, or a newer version is installed. */
export class CatchLoadFailure extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    const { notLoadedPage, tryAgain } = texts.shell.failed
    return (
      <div role="alert">
        <Notice tone="stopped">
          <p>{notLoadedPage}</p>
          <Button className="mt-3" onClick={() => location.reload()}>
            {tryAgain}
          </Button>
        </Notice>
      </div>
    )
  }
}
