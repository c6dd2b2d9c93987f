import { texts } from '../../texts/index.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useImport } from '../use-import.tsx'

/**
 * Shown when the copied records belong to another account. The customer either undoes the import or confirms that the
 * account is the same.
 */
export function OtherAccount({ onSame }: { onSame: (() => void) | null }) {
  const { facts } = useImport()
  const { heading, words, same, undo } = texts.connect.otherAccount
  return (
    <div role="alert">
      <Notice tone="needs" heading={heading}>
        {words(facts.destination)}
        <span className="mt-2 flex flex-wrap items-center gap-x-5">
          <LinkButton to="undo" look="plain" isWide={false}>
            {undo}
          </LinkButton>
          {onSame && (
            <Button look="plain" onClick={onSame}>
              {same}
            </Button>
          )}
        </span>
      </Notice>
    </div>
  )
}
