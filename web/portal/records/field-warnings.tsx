import type { PortalWarning } from '../../../service/src/portal/contract.ts'
import { entityLabel, formatNumber, texts } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { useImport } from '../use-import.tsx'

export const isAboutField = (code: string) => /^(custom_)?field_not_taken:/.test(code)

/** Lists warnings about single fields separately, so that they do not hide more serious ones. */
export function FieldWarnings({ warnings }: { warnings: PortalWarning[] }) {
  const { facts } = useImport()
  const { fieldsNotTaken, fieldsNotTakenFix } = later.done
  return (
    <section className="mt-6">
      <h3 className="font-medium text-balance">{fieldsNotTaken(facts.destination)}</h3>
      <ul className="mt-2 grid gap-1 text-sm">
        {warnings.map(({ code, entity, count }) => (
          <li key={`${entity} ${code}`} className="tabular-nums wrap-anywhere">
            <bdi className="font-medium">{fieldLabel(code.slice(code.indexOf(':') + 1))}</bdi>
            {` · ${entityLabel(entity)}${texts.colon} ${formatNumber(count)}`}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-pretty text-quiet">{fieldsNotTakenFix}</p>
    </section>
  )
}
