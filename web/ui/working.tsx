import { texts } from '../texts/index.ts'

/**
 * Shown while something loads, or after a failure, when the request is repeated automatically. The
 * footer of the screen stays away while it loads (styles.css): it would jump when the rest comes.
 */
export function Working({ hasFailed = false, className = 'mt-6' }: { hasFailed?: boolean; className?: string }) {
  return (
    <p role="status" className={`text-quiet ${className}`} data-working={hasFailed ? undefined : true}>
      {hasFailed ? texts.shell.failed.notLoaded : texts.shell.working}
    </p>
  )
}
