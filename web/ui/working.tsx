import { texts } from '../texts/index.ts'

/**
 * Stands where something is being loaded, or says that loading failed. The footer of the screen stays away meanwhile
 * (styles.css): it would jump when the rest comes.
 */
export function Working({ hasFailed = false, className = 'mt-6' }: { hasFailed?: boolean; className?: string }) {
  return (
    <p className={`text-quiet ${className}`} data-working={hasFailed ? undefined : true}>
      {hasFailed ? texts.shell.failed.unavailable : texts.shell.working}
    </p>
  )
}
