import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Portal, startWholeService, type WholeService } from './whole-service.ts'

const limit = { timeout: 900_000 }
let whole: WholeService
beforeAll(async () => {
  whole = await startWholeService()
}, 900_000)
afterAll(() => whole.close())

const tickets = (change: object) => ({ entities: { tickets: change } })

describe('values that are changed by steps', () => {
  let portal: Portal
  beforeAll(async () => {
    portal = await whole.openPortal()
    await portal.connect()
    await portal.look('/plan')
  }, 900_000)

  const recordOf = async (sourceId: string) => (await portal.act('GET', `/records/tickets/${sourceId}`)).json

  test('invalid steps and combinations are refused by their path', async () => {
    const wrong: [object, string][] = [
      [{ fields: { subject: { steps: [{ do: 'dance' }] } } }, 'fields.subject.steps.0.do'],
      [{ fields: { subject: { steps: [{ do: 'replace', find: '', with: 'x' }] } } }, 'fields.subject.steps.0.find'],
      [{ fields: { subject: { steps: [{ do: 'replace', find: 'x' }] } } }, 'fields.subject.steps.0'],
      [{ fields: { subject: { steps: [{ do: 'case', as: 'shout' }] } } }, 'fields.subject.steps.0.as'],
      [{ fields: { subject: { steps: [{ do: 'split', by: ',', part: 0 }] } } }, 'fields.subject.steps.0.part'],
      [{ fields: { subject: { steps: [{ do: 'join', by: 'x', more: 1 }] } } }, 'fields.subject.steps.0.more'],
      [{ fields: { subject: { steps: Array(11).fill({ do: 'case', as: 'upper' }) } } }, 'fields.subject.steps'],
      [{ fields: { requester: { steps: [{ do: 'case', as: 'upper' }] } } }, 'fields.requester.steps'],
      [{ fields: { description: { steps: [{ do: 'case', as: 'upper' }] } } }, 'fields.description.steps'],
      [{ fields: { is_private: { steps: [{ do: 'case', as: 'upper' }] } } }, 'fields.is_private.steps'],
      [{ combined: { nosuch: { fields: ['subject'], by: ' ' } } }, 'combined.nosuch'],
      [{ combined: { requester: { fields: ['subject'], by: ' ' } } }, 'combined.requester'],
      [{ combined: { description: { fields: ['subject'], by: ' ' } } }, 'combined.description'],
      [{ combined: { description: { fields: ['description', 'nosuch'], by: ' ' } } }, 'combined.description.fields'],
      [{ combined: { description: { fields: ['description', 'assignee'], by: ' ' } } }, 'combined.description.fields'],
      [
        { combined: { description: { fields: ['description'], by: ' ', labels: { subject: 'S' } } } },
        'combined.description.labels.subject',
      ],
    ]
    for (const [change, path] of wrong) {
      const { status, json } = await portal.act('PUT', '/mapping', { version: 0, changes: tickets(change) })
      expect([status, Object.keys(json)], JSON.stringify(change)).toEqual([422, [`entities.tickets.${path}`]])
    }
  })

  test('a draft is described with the result of each value, and with its errors', async () => {
    const draft = tickets({
      fields: {
        priority: { steps: [{ do: 'replace', find: 'urgent', with: 'high' }] },
        channel: { to: 'subject' },
      },
    })
    const { status, json } = await portal.act('POST', '/mapping/check', { changes: draft })
    expect(status).toBe(200)
    expect(Object.keys(json.problems)).toEqual(['entities.tickets.fields.channel.to'])
    const { fields } = json.entities.find(({ entity }: { entity: string }) => entity === 'tickets')
    const fieldOf = (name: string) => fields.find((field: { name: string }) => field.name === name)
    expect(fieldOf('priority').values.map(({ value }: { value: string }) => value)).not.toContain('urgent')
    expect(fieldOf('subject')).toMatchObject({ to: null, taken_by: 'channel', status: 'undecided' })
    expect(fieldOf('requester')).toMatchObject({ fits: [], fits_links: ['requester', 'collaborators'] })
    expect(fieldOf('assignee').fits).toEqual(['user'])
  })

  test('examples are real records, with some values of every field', async () => {
    const changes = tickets({ fields: { subject: { steps: [{ do: 'case', as: 'upper' }] } } })
    const { status, json } = await portal.act('POST', '/mapping/examples', { entity: 'tickets', changes })
    expect(status).toBe(200)
    expect(json.records).toHaveLength(3)
    expect(json.samples.subject).toHaveLength(3)
    for (const { title, number, source, mapped, stored } of json.records) {
      expect(source.fields.subject).toContain(title.replace(/…$/, ''))
      expect(number).toBe(source.fields.number)
      expect(mapped.fields.subject).toBe(source.fields.subject.toUpperCase())
      expect(stored).toBeNull()
    }
    const byNumber = { entity: 'tickets', source_id: `#${json.records[0].number}` }
    const found = await portal.act('POST', '/mapping/preview', byNumber)
    expect(found.json.source_id).toBe(json.records[0].source_id)
    expect((await portal.act('POST', '/mapping/examples', { entity: 'planets' })).status).toBe(422)
  })

  test('the destination gets the changed value, and the verification compares with that value', limit, async () => {
    const changes = tickets({
      fields: {
        subject: {
          steps: [
            { do: 'replace', find: 'e', with: '3' },
            { do: 'case', as: 'upper' },
          ],
        },
        priority: { steps: [{ do: 'replace', find: 'urgent', with: 'top' }], values: { top: 'high' } },
        tags: { to: 'channel', steps: [{ do: 'join', by: ' / ' }] },
        channel: { to: null },
      },
      combined: {
        description: {
          fields: ['description', 'number', 'custom:order_number'],
          by: '\n',
          labels: { number: 'Old number', 'custom:order_number': 'Order' },
        },
      },
      constants: { channel: 'unknown', subject: '(no subject)', 'custom:origin': 'Fernhill' },
    })
    expect((await portal.act('PUT', '/mapping', { version: 0, changes })).json).toEqual({ version: 1 })
    await portal.sponsor()
    await portal.run('sample', 'sample_migration_completed')
    const full = await portal.run('full', 'migration_completed')
    expect(JSON.stringify(full.warnings)).not.toMatch(/differs|steps_not_applied|value_does_not_fit/)
    const { json } = await portal.act('GET', '/records?entity=tickets&state=written&limit=200')
    let [lists, blanks, raised] = [0, 0, 0]
    for (const { source_id } of json.records.slice(0, 40)) {
      const { source, mapped, stored, differences } = await recordOf(source_id)
      expect(differences).toEqual([])
      const { subject, priority, tags = [], number } = source.fields
      expect(stored.fields.subject).toBe(subject ? subject.replaceAll('e', '3').toUpperCase() : '(no subject)')
      expect(stored.fields.priority).toBe(priority === 'urgent' ? 'high' : mapped.fields.priority)
      if (priority === 'urgent') raised++
      expect(stored.fields.channel).toBe(tags?.length ? tags.join(' / ') : 'unknown')
      tags?.length > 1 ? lists++ : tags?.length ? 0 : blanks++
      expect(stored.fields.description).toContain(`Old number: ${number}`)
      const order = source.custom_fields.order_number?.value
      if (order) expect(stored.fields.description).toContain(`Order: ${order}`)
      // A field that is part of a text also keeps its own field.
      expect(stored.fields.number).toBe(number)
      expect(JSON.stringify(stored.custom_fields)).toContain('Fernhill')
    }
    expect(raised + lists + blanks).toBeGreaterThan(3)
    expect(JSON.stringify(full.warnings)).not.toContain('field_not_taken')
  })
})
