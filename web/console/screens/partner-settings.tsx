import { type ChangeEvent, useState } from 'react'
import type { ConsolePartnerDetail } from '../../../service/src/console/contract.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { ActButton } from '../act-button.tsx'
import { Failure, List, Table, words } from '../parts.tsx'
import { SaveForm } from '../save-form.tsx'
import { useAct } from '../use-ask.ts'

interface PartProps {
  partner: ConsolePartnerDetail
  path: string
  isOwner: boolean
}

const policies = ['ask', 'customer_pays', 'sponsor_all', 'sponsor_up_to'] as const

/** Who pays for the full migrations of this partner's customers. */
export function PartnerPolicy({ partner: { policy }, path, isOwner }: PartProps) {
  return (
    <Section heading="Who pays">
      <List
        pairs={[
          ['Policy', words(policy.policy)],
          ['Limit', policy.policy_limit ?? '–'],
          ['Beyond the limit', policy.policy_beyond === null ? '–' : words(policy.policy_beyond)],
          ['Records of free samples', policy.sample_records],
          ['Page for customers', policy.full_page_url ?? '–'],
        ]}
      />
      {isOwner && (
        <SaveForm
          path={`${path}/policy`}
          button="Set policy"
          fields={[
            {
              name: 'policy',
              label: 'Policy',
              value: policy.policy,
              choices: policies.map((one) => [one, words(one)]),
            },
            {
              name: 'limit',
              label: 'Limit',
              hint: 'Records that the partner pays for at most. Only with “sponsor up to”.',
              value: policy.policy_limit === null ? '' : String(policy.policy_limit),
            },
            {
              name: 'beyond',
              label: 'Beyond the limit',
              value: policy.policy_beyond ?? 'ask',
              choices: [
                ['ask', 'ask'],
                ['customer_pays', 'customer pays'],
              ],
            },
            { name: 'sample_records', label: 'Records of free samples', value: String(policy.sample_records) },
            {
              name: 'page',
              label: 'Page for customers',
              hint: 'The partner’s own page for customers who want the full migration. Empty for none.',
              type: 'url',
              value: policy.full_page_url ?? '',
            },
          ]}
          toBody={({ limit, beyond, page, ...rest }) => ({
            ...rest,
            page: page || 'none',
            ...(rest.policy === 'sponsor_up_to' && { limit, beyond }),
          })}
        />
      )}
    </Section>
  )
}

export function PartnerRetention({ partner: { retention }, path, isOwner }: PartProps) {
  return (
    <Section heading="Retention" intro="Completed imports keep the dates that their customers have seen.">
      <List
        pairs={[
          ['Undo and access', `${retention.undo_days} days`],
          ['Names and texts', `${retention.ledger_days} days`],
        ]}
      />
      {isOwner && (
        <SaveForm
          path={`${path}/retention`}
          button="Set retention"
          fields={[
            { name: 'undo_days', label: 'Days to undo', value: String(retention.undo_days), isRequired: true },
            {
              name: 'ledger_days',
              label: 'Days of names and texts',
              value: String(retention.ledger_days),
              isRequired: true,
            },
          ]}
        />
      )}
    </Section>
  )
}

const logoWords = { 'image/png': 'PNG', 'image/svg+xml': 'SVG' } as Record<string, string>

/** How the portal looks to the partner's customers. */
export function PartnerBrand({ partner: { brand }, path, isOwner }: PartProps) {
  return (
    <Section heading="Look of the portal">
      <List
        pairs={[
          ['Colour', brand.accent ?? 'ours'],
          ['Logo', brand.logo_type === null ? 'none' : (logoWords[brand.logo_type] ?? brand.logo_type)],
        ]}
      />
      {isOwner && (
        <>
          <SaveForm
            path={`${path}/brand`}
            button="Set colour"
            fields={[
              {
                name: 'accent',
                label: 'Colour of buttons and links',
                hint: 'Such as #14638f. Adjusted if the contrast is too low. Empty: Wherry’s colour.',
                value: brand.accent ?? '',
              },
            ]}
            toBody={({ accent }) => ({ accent: accent || null })}
          />
          <SetLogo path={`${path}/brand`} hasLogo={brand.logo_type !== null} />
        </>
      )}
    </Section>
  )
}

function SetLogo({ path, hasLogo }: { path: string; hasLogo: boolean }) {
  const act = useAct()
  const [file, setFile] = useState<File | null>(null)
  const send = async () => {
    if (!file || act.isPending) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    act.mutate({
      method: 'PUT',
      path,
      body: { logo: btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join('')) },
    })
  }
  return (
    <div className="mt-4 max-w-140">
      <TextField
        label="Logo"
        hint="PNG or SVG, up to 100 kB."
        type="file"
        accept="image/png,image/svg+xml"
        onChange={(event: ChangeEvent<HTMLInputElement>) => setFile(event.target.files?.[0] ?? null)}
        aside={
          <Button
            isWide={false}
            className="shrink-0"
            aria-disabled={file === null || act.isPending}
            onClick={() => void send()}
          >
            Set logo
          </Button>
        }
      />
      {act.error && <Failure error={act.error} />}
      <div aria-live="polite">{act.isSuccess && <p className="mt-2 text-verified">Saved.</p>}</div>
      {hasLogo && (
        <div className="mt-3">
          <ActButton
            method="PUT"
            path={path}
            body={{ logo: null }}
            question="The portal shows the name alone. Remove the logo?"
          >
            Remove logo
          </ActButton>
        </div>
      )}
    </div>
  )
}

/** Mappings that the portal offers to the partner's customers. */
export function PartnerMappings({ partner: { mappings }, isOwner }: Omit<PartProps, 'path'>) {
  return (
    <Section
      heading="Recommended mappings"
      intro="Set by: wherry partner mapping set, or by the partner’s own requests."
    >
      <Table
        caption="Recommended mappings"
        empty="None."
        rows={mappings}
        keyOf={({ id }) => id}
        columns={[
          { heading: 'Name', cell: (row) => row.name },
          { heading: 'From', cell: (row) => row.source_tool },
          { heading: 'Family', cell: (row) => row.family },
          {
            heading: 'Remove',
            cell: (row) =>
              isOwner ? (
                <ActButton
                  method="DELETE"
                  path={`/mappings/${row.id}`}
                  question="The portal then no longer offers the mapping. Remove it?"
                >
                  Remove
                </ActButton>
              ) : (
                '–'
              ),
          },
        ]}
      />
    </Section>
  )
}
