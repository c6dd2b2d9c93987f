import type {
  PortalColumn,
  PortalEntity,
  PortalTable,
  PortalTablesRequest,
  PortalUpload,
  PortalUploadProblem,
} from '../../../service/src/portal/upload-contract.ts'
import { entityLabel, formatNumber, inSentence, known, language, texts } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Select } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { Told } from '../said.tsx'
import { useAction, useChoices } from '../use-action.ts'
import { DayQuestions } from './day-questions.tsx'
import { UnreadableValues } from './unreadable-values.tsx'

export interface UploadedTablesProps {
  side: 'source' | 'destination'
  upload: PortalUpload
  onDone: () => void
}

type Change = Omit<PortalTablesRequest['tables'][number], 'file'>
type ColumnChange = NonNullable<Change['columns']>[number]

/** The detected content of each file and purpose of each column. The customer can change both. */
export function UploadedTables({ side, upload, onDone }: UploadedTablesProps) {
  const { found, problems, use, using, saving, nothingKnown, days } = texts.upload
  const arrange = useChoices((file: string, change: Change) =>
    send('PUT', `/uploads/${upload.id}/tables`, { tables: [{ file, ...change }] }),
  )
  const connect = useAction(() => send('PUT', `/accounts/${side}`, { upload: upload.id }))
  const tables = upload.tables.map((table) => asChosen(table, arrange.waiting))
  const used = tables.filter(({ entity, rows }) => entity !== null && rows > 0)
  const isSaving = arrange.waiting.length > 0
  const isAsked = upload.tables.some(
    ({ entity, columns }) => entity !== null && columns.some((column) => column.days?.order === null),
  )
  const isOpen = upload.problems.some(({ values }) => values?.open !== 0)
  const missing = used.length === 0 ? nothingKnown : isAsked ? days.answerFirst : null
  return (
    <div className="mt-5">
      <h3 className="font-medium wrap-anywhere">{found(upload.file_name)}</h3>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {tables.map((table) => (
          <TableRow
            key={table.file}
            table={table}
            entities={upload.entities}
            onChange={(change) => void arrange.choose(table.file, change)}
          />
        ))}
      </ul>
      <DayQuestions
        tables={used}
        onAnswer={(file, column, order) => void arrange.choose(file, { columns: [{ column, days: order }] })}
      />
      <p aria-live="polite" className="text-sm text-quiet">
        {isSaving ? saving : ''}
      </p>
      <FailureNotice failure={arrange.failure} />
      {upload.problems.length > 0 && (
        <Notice tone={isOpen ? 'needs' : 'good'} {...(isOpen && { heading: problems })}>
          {upload.problems.map(({ file, code, message, fix, values }) => (
            <div key={`${file} ${code} ${message}`} className="mt-1">
              {values?.open !== 0 && <ProblemLine file={file} code={code} message={message} fix={fix} />}
              {values && <UnreadableValues values={values} />}
            </div>
          ))}
        </Notice>
      )}
      <FailureNotice failure={connect.failure} />
      <div className="mt-4">
        {missing === null ? (
          <ActionButton
            // The button waits until all changes are saved.
            action={{ isPending: connect.isPending || isSaving }}
            pending={isSaving ? saving : using}
            onAct={() => {
              void connect.act().then((isDone) => isDone && onDone())
            }}
          >
            {use}
          </ActionButton>
        ) : (
          <p className="text-sm text-needs">{missing}</p>
        )}
      </div>
    </div>
  )
}

/** The table with the customer's choices, including unsaved ones. */
function asChosen(table: PortalTable, waiting: [string, Change][]): PortalTable {
  const chosen = { ...table }
  for (const [file, { entity, columns = [] }] of waiting) {
    if (file !== table.file) continue
    if (entity !== undefined) chosen.entity = entity
    chosen.columns = chosen.columns.map((column, index) => {
      const { as, field, days, text } = columns.find((one) => one.column === index) ?? {}
      return {
        ...column,
        ...(as && { as }),
        ...(field !== undefined && { field }),
        ...(text && { text }),
        ...(days && column.days && { days: { ...column.days, order: days } }),
      }
    })
  }
  return chosen
}

/** Shows the meaning first, then the service's message with the exact place. */
function ProblemLine({ file, code, message, fix }: Omit<PortalUploadProblem, 'values'>) {
  const words = language === 'en' ? undefined : known(later.problems.ofUploads, code)
  return (
    <>
      {words !== undefined && (
        <p className="text-sm">
          {file}
          {texts.colon} {words}
        </p>
      )}
      <p className={`text-sm ${words === undefined ? '' : 'text-quiet'}`}>
        <Told text={words === undefined ? `${file}: ${message} ${fix}` : message} />
      </p>
    </>
  )
}

interface TableRowProps {
  table: PortalTable
  entities: PortalEntity[]
  onChange: (change: Change) => void
}

function TableRow({ table, entities, onChange }: TableRowProps) {
  const { holds, leaveOut, rows, columns, columnIs, as, textsAre, formats } = texts.upload
  const entity = entities.find(({ name }) => name === table.entity)
  const kinds = ['id', 'created_at', 'updated_at', 'custom', 'ignored'] as const
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-40">
          <span className="block font-medium wrap-anywhere">{table.file}</span>
          <span className="text-sm text-quiet tabular-nums">{rows(formatNumber(table.rows), table.rows === 1)}</span>
        </p>
        <Select
          label={holds(table.file)}
          isLabelHidden
          className="basis-48"
          value={table.entity ?? ''}
          onChange={({ target }) => onChange({ entity: target.value === '' ? null : target.value })}
        >
          <option value="">{leaveOut}</option>
          {entities.map(({ name }) => (
            <option key={name} value={name}>
              {entityLabel(name)}
            </option>
          ))}
        </Select>
      </div>
      {entity &&
        table.columns.map(
          ({ header, text }, index) =>
            text && (
              <Select
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same header
                key={index}
                label={textsAre(inSentence(header))}
                className="mt-2"
                value={text}
                onChange={({ target }) =>
                  onChange({ columns: [{ column: index, text: target.value as NonNullable<PortalColumn['text']> }] })
                }
              >
                {(['plain', 'html', 'markdown'] as const).map((format) => (
                  <option key={format} value={format}>
                    {formats[format]}
                  </option>
                ))}
              </Select>
            ),
        )}
      {entity && (
        <details className="mt-2 text-sm">
          <summary className="w-fit py-1 text-accent">{columns(formatNumber(table.columns.length))}</summary>
          <ul className="mt-1 grid gap-2">
            {table.columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same header
              <li key={index} className="grid grid-cols-2 items-center gap-3">
                <bdi className="wrap-anywhere">{column.header}</bdi>
                <Select
                  label={columnIs(column.header)}
                  isLabelHidden
                  value={column.as === 'field' ? `field:${column.field}` : column.as}
                  onChange={({ target }) => onChange({ columns: [roleOf(index, target.value)] })}
                >
                  {kinds.map((kind) => (
                    <option key={kind} value={kind}>
                      {as[kind]}
                    </option>
                  ))}
                  {column.as === 'currency' && <option value="currency">{as.currency}</option>}
                  {entity.fields.map(({ name }) => (
                    <option key={name} value={`field:${name}`}>
                      {fieldLabel(name)}
                    </option>
                  ))}
                </Select>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

function roleOf(column: number, value: string): ColumnChange {
  if (value.startsWith('field:')) return { column, as: 'field', field: value.slice(6) }
  return { column, as: value as PortalColumn['as'] }
}
