import { type FormEvent, useId, useState } from 'react'
import type { ConsolePrices } from '../../../service/src/console/contract.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failure, Loaded, Time } from '../parts.tsx'
import { useAct, useAsk } from '../use-ask.ts'

/** The prices of a full migration and the issuer of invoices, as the same JSON documents that the commands take. */
export function Prices() {
  const query = useAsk<ConsolePrices>('/prices', false)
  return (
    <Loaded query={query}>
      {({ version, set_at, document, issuer }) => (
        <>
          <Section
            heading="Prices"
            intro="The prices apply to all partners. A customer who has begun to pay keeps the old price."
          >
            <p className="mt-2 text-sm text-quiet">
              {version === null ? (
                'These are the prices that Wherry comes with.'
              ) : (
                <>
                  Version {version}, set <Time at={set_at} />.
                </>
              )}
            </p>
            <EditDocument
              key={version}
              label="Prices as JSON"
              path="/prices"
              document={document}
              more={{ version }}
              button="Set prices"
            />
          </Section>
          <Section heading="Issuer of invoices" intro="Printed on new invoices. Issued invoices stay unchanged.">
            <EditDocument
              label="Issuer as JSON"
              path="/issuer"
              document={issuer.issuer ?? emptyIssuer}
              button="Set issuer"
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

const emptyIssuer = { name: '', address: [''], payment: [''] }

interface EditProps {
  label: string
  path: string
  document: unknown
  more?: object
  button: string
}

function EditDocument({ label, path, document, more = {}, button }: EditProps) {
  const id = useId()
  const act = useAct()
  const [text, setText] = useState(() => JSON.stringify(document, null, 2))
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (act.isPending) return
    try {
      const parsed: unknown = JSON.parse(text)
      setProblem(null)
      act.mutate({ method: 'PUT', path, body: { document: parsed, ...more } })
    } catch (error) {
      setProblem(`This is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return (
    <form className="mt-3 max-w-180" onSubmit={submit}>
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={12}
        spellCheck={false}
        className="mt-1 w-full rounded-lg border border-control bg-card p-3 font-mono text-sm text-ink aria-invalid:border-stopped"
        aria-invalid={problem !== null}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" className="mt-2" isWide={false} aria-disabled={act.isPending}>
        {button}
      </Button>
      <div role="alert">{problem !== null && <Notice tone="stopped">{problem}</Notice>}</div>
      {problem === null && act.error && <Failure error={act.error} />}
      <div aria-live="polite">{act.isSuccess && problem === null && <p className="mt-2 text-verified">Saved.</p>}</div>
    </form>
  )
}
