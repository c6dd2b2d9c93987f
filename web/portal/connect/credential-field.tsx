import { useState } from 'react'
import type { PortalCredential } from '../../../service/src/portal/contract.ts'
import { inSentence, known, language, texts } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { OutLink } from '../../ui/out-link.tsx'

export interface CredentialFieldProps {
  field: PortalCredential
  tool: string
  /** The account's address that the customer has typed; null if the tool needs none. */
  address: string | null
  value: string
  fault: 'blank' | 'mismatch' | 'refused' | null
  onChange: (text: string) => void
}

/** One credential, with the texts of the tool's connector. */
export function CredentialField({ field, tool, address, value, fault, onChange }: CredentialFieldProps) {
  const { blank, notAllowed, show, hide, example, openPage } = texts.connect
  const [isShown, setIsShown] = useState(false)
  const { name, is_secret: isSecret, link } = field
  const words = known(field.words, language) ?? field.words.en ?? { label: name, hint: '', mismatch: '' }
  const page = link === null ? null : pageAt(link, address)
  const hints = [words.hint, field.example === null ? '' : example(field.example)].filter((hint) => hint !== '')
  const refused = name === 'instance_url' ? notAllowed : words.mismatch
  return (
    <div className="mt-4">
      <TextField
        label={words.label}
        hint={hints.join(' ') || undefined}
        error={fault === null ? null : { blank, mismatch: words.mismatch, refused }[fault]}
        type={isSecret && !isShown ? 'password' : name === 'instance_url' ? 'url' : 'text'}
        // Prevents the browser's password manager from filling in keys of other tools.
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aside={
          isSecret && (
            <Button isWide={false} className="shrink-0" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
              {isShown ? hide : show}
            </Button>
          )
        }
      />
      {page !== null && (
        <p className="mt-1 text-sm">
          <OutLink href={page}>{openPage(inSentence(tool))}</OutLink>
        </p>
      )}
    </div>
  )
}

/** A relative link is resolved against the typed address of the account. */
function pageAt(link: string, address: string | null): string | null {
  if (/^https:\/\//.test(link)) return link
  if (address === null || !/^https?:\/\/[^\s/]/.test(address) || !URL.canParse(address)) return null
  return `${address.replace(/\/+$/, '')}${link}`
}
