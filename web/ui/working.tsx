import { texts } from '../texts/index.ts'

/**
 * Shown while data loads, and after a failure while the request is repeated. The footer is hidden while data loads
 * (styles.css), because it would jump when the rest appears.
 */
export function Working({ hasFailed = false, className = 'mt-6' }: { hasFailed?: boolean; className?: string }) {
  return (
    <p role="status" className={`text-quiet ${className}`} data-working={hasFailed ? undefined : true}>
      {hasFailed ? texts.shell.failed.notLoaded : texts.shell.working}
    </p>
  )
}
