import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MappingChanges } from '../../../service/src/db/mapping-changes.ts'
import type { PortalComparedVersions, PortalSavedMappings } from '../../../service/src/portal/mapping-contract.ts'
import { formatMoment, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Working } from '../../ui/working.tsx'
import { get } from '../ask.ts'
import { DifferenceList } from './difference-list.tsx'

interface CompareVersionsProps extends Pick<PortalSavedMappings, 'versions'> {
  onUse: (changes: MappingChanges) => void
}

/** Compares any two versions. The customer can use the later one again. */
export function CompareVersions({ versions, onUse }: CompareVersionsProps) {
  const words = later.mapping.kept
  const newest = versions[0]?.version ?? 0
  const [from, setFrom] = useState(0)
  const [to, setTo] = useState(newest)
  const [isOpen, setIsOpen] = useState(false)
  const { data, errorUpdateCount } = useQuery({
    queryKey: ['mapping-differences', from, to],
    queryFn: ({ signal }) => get<PortalComparedVersions>(`/mapping/differences?from=${from}&to=${to}`, signal),
    enabled: isOpen,
  })
  const nameOf = ({ version, saved_at }: PortalSavedMappings['versions'][number]) =>
    words.version(formatNumber(version), formatMoment(new Date(saved_at)))
  const choices = (
    <>
      {versions.map((one) => (
        <option key={one.version} value={one.version}>
          {nameOf(one)}
        </option>
      ))}
      <option value={0}>{words.suggestions}</option>
    </>
  )
  return (
    <details className="mt-1 text-sm" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit py-1 text-accent">{words.compare}</summary>
      <div className="mt-2 grid gap-3 sm:max-w-160 sm:grid-cols-2">
        <Select label={words.compareFrom} value={from} onChange={({ target }) => setFrom(Number(target.value))}>
          {choices}
        </Select>
        <Select label={words.compareTo} value={to} onChange={({ target }) => setTo(Number(target.value))}>
          {choices}
        </Select>
      </div>
      {data ? (
        <>
          <DifferenceList differences={data.differences} />
          {to !== newest && (
            <Button className="mt-3" onClick={() => onUse(data.changes)}>
              {words.againVersion(formatNumber(to))}
            </Button>
          )}
        </>
      ) : (
        isOpen && <Working hasFailed={errorUpdateCount > 0} />
      )}
    </details>
  )
}
