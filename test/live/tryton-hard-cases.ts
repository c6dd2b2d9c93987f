import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { createRecords, type LiveTryton } from './tryton-accounts.ts'
import { readEntity } from './tryton-move.ts'

/** Tests of changes, removal and files. */
export function describeHardCases(live: LiveTryton): void {
  describe('records that change and go', () => {
    const { open, made, outgoing, write, writeOne, findOne, removable, removeAll } = createRecords(live)
    afterAll(removeAll)

    test('an activity becomes a note that says who, what and when', async () => {
      const { destinationId } = await writeOne('contacts', outgoing('contacts', 'active', { name: 'Active' }))
      const activity = outgoing('activities', 'call', {
        related: { entity: 'contacts', key: 'x', destinationId },
        type: 'call',
        subject: 'Offer',
        status: 'done',
        started_at: '2024-02-29T10:00:00.000Z',
        body: 'All agreed.',
      })
      activity.createdBy = { name: 'Ada Lind', email: null, userId: null }
      activity.createdAt = '2024-02-29T10:30:00.000Z'
      await writeOne('activities', activity)
      const [note] = await live
        .there()
        .read<{ message: string }>('ir.note', [['resource', '=', `party.party,${destinationId}`]], ['message'])
      expect(note?.message).toBe(
        'Call: Offer (done, 2024-02-29 10:00 UTC)\n\nAll agreed.\n\n— Ada Lind, 2024-02-29 10:30 UTC · wherry:imp_one/activities/call',
      )
      const [read] = (await readEntity(live.copyReader(), 'notes')).filter(
        ({ fields }) => (fields.related as { sourceId: string }).sourceId === destinationId,
      )
      expect(JSON.stringify(read?.fields.body)).toMatch(/All agreed\.\\n\\n— Ada Lind, 2024-02-29 10:30 UTC"/)
    })

    test('records that people changed, or added something to, are kept', async () => {
      const write1 = (name: string) =>
        writeOne('contacts', outgoing('contacts', `kept ${name}`, { name, emails: ['a@b.example'] }))
      const [renamed, reached, noted, related, sold] = [
        await write1('renamed'),
        await write1('reached'),
        await write1('noted'),
        await write1('related'),
        await write1('sold'),
      ]
      const id = ({ destinationId }: { destinationId: string }) => Number(destinationId)
      await live.there().call('party.party', 'write', [id(renamed)], { name: 'New name' })
      await live
        .there()
        .create('party.contact_mechanism', { party: id(reached), type: 'email', value: 'new@b.example' })
      const [note = 0] = await live.there().create('ir.note', { resource: `party.party,${id(noted)}`, message: 'mine' })
      const [stranger = 0] = await live.there().create('party.party', { name: 'Stranger' })
      // The relation type has no reverse, so only the other party shows it.
      const [type = 0] = await live.there().create('party.relation.type', { name: 'looks after' })
      const [relation = 0] = await live.there().create('party.relation.all', {
        from_: stranger,
        to: id(related),
        type,
      })
      const [deal = 0] = await live.there().create('sale.opportunity', {
        party: id(sold),
        state: 'lead',
        description: 'Theirs',
      })
      const outcomes = await open().remove('contacts', [renamed, reached, noted, related, sold].map(removable))
      expect(outcomes.map(({ result }) => result)).toEqual(['kept', 'kept', 'kept', 'kept', 'kept'])
      await live.there().call('sale.opportunity', 'delete', [deal])
      await live.there().call('party.relation.all', 'delete', [relation])
      await live.there().call('party.relation.type', 'delete', [type])
      await live.there().call('ir.note', 'delete', [note])
      await live.there().call('party.party', 'delete', [stranger])
      const later = await open().remove('contacts', [noted, related, sold].map(removable))
      expect(later.map(({ result }) => result)).toEqual(['removed', 'removed', 'removed'])
    })

    test('a tag that was there is met, used and never removed', async () => {
      const [own = 0] = await live.there().create('party.category', { name: 'Before us' })
      const [matched, fresh] = await write(
        'tags',
        outgoing('tags', 'before', { name: 'Before us' }),
        outgoing('tags', 'after', { name: 'Before us / After us' }),
      )
      expect(matched).toMatchObject({ result: 'matched', destinationId: String(own) })
      if (fresh?.result !== 'written') throw new Error('not written')
      const tags = [{ entity: 'tags', key: 'x', destinationId: fresh.destinationId }]
      const user = await writeOne('contacts', outgoing('contacts', 'tagged', { name: 'Tagged', tags }))
      expect(await open().remove('tags', [removable(fresh)])).toMatchObject([{ result: 'kept' }])
      await open().remove('contacts', [removable(user)])
      expect(await open().remove('tags', [removable(fresh)])).toMatchObject([{ result: 'removed' }])
      await live.there().call('party.category', 'delete', [own])
    })

    test('a record that was written twice is found twice, and the second can go', async () => {
      const record = outgoing('contacts', 'twice', { name: 'Twice' })
      const first = await writeOne('contacts', record)
      await live.there().create('party.party', {
        name: 'Twice',
        identifiers: [['create', [{ code: `wherry:${record.key}` }]]],
      })
      const found = await open().find('contacts', [{ key: record.key, destinationId: null, parent: null }])
      expect(found).toHaveLength(2)
      const second = found.find(({ destinationId }) => destinationId !== first.destinationId)
      expect(
        await open().remove('contacts', [
          {
            key: record.key,
            destinationId: String(second?.destinationId),
            version: second?.version ?? null,
            parent: null,
          },
        ]),
      ).toEqual([{ key: record.key, result: 'removed' }])
      expect((await findOne('contacts', record))?.destinationId).toBe(first.destinationId)
    })

    test('an update makes it what is sent, and keeps what other records point at', async () => {
      const record = outgoing('contacts', 'changing', {
        name: 'Before',
        emails: ['stays@b.example', 'goes@b.example'],
        addresses: [{ line1: 'Old 1', city: 'Köln', country: 'Germany' }],
        description: 'old words',
      })
      const { destinationId } = await writeOne('contacts', record)
      const mechanisms = () =>
        live
          .there()
          .read<{ id: number; value: string }>(
            'party.contact_mechanism',
            [['party', '=', Number(destinationId)]],
            ['value'],
          )
      const [stays] = await mechanisms()
      const changed = {
        ...record,
        destinationId,
        fields: {
          name: 'After',
          emails: ['stays@b.example', 'new@b.example'],
          is_archived: true,
          description: 'new words',
        },
      }
      await writeOne('contacts', changed)
      expect((await findOne('contacts', record))?.fields).toEqual((await open().asStored('contacts', changed)).fields)
      expect((await mechanisms()).map(({ id, value }) => [id === stays?.id, value])).toEqual([
        [true, 'stays@b.example'],
        [false, 'new@b.example'],
      ])
    })

    test.each([0, 1, 2, 3, 4, 65_536, 5_000_001])('a file of %i bytes comes back the same', async (size) => {
      const { destinationId } = await writeOne('contacts', outgoing('contacts', `file ${size}`, { name: 'Files' }))
      const bytes = Buffer.from(Array.from({ length: Math.min(size, 1_000) }, (_, index) => (index * 13) % 256))
      const content = Buffer.alloc(size, bytes.length > 0 ? bytes : undefined)
      for (const known of [size, null]) {
        const file = outgoing('attachments', `${size} ${known}`, {
          parent: { entity: 'contacts', key: 'x', destinationId },
          file_name: 'a/b "ü" 👩‍🚀\n.bin',
        })
        const outcome = await open().writeFile('attachments', {
          ...file,
          size: known,
          contentType: null,
          body: Readable.from(split(content)),
        })
        made.push(['attachments', outcome])
        if (outcome.result !== 'written') throw new Error(JSON.stringify(outcome))
        expect((await findOne('attachments', file))?.fields).toEqual(
          (await open().asStored('attachments', file)).fields,
        )
        const opened = await live.copyReader().openFile({
          entity: 'attachments',
          sourceId: outcome.destinationId,
          fields: {},
        })
        const chunks: Buffer[] = []
        for await (const chunk of opened.body) chunks.push(chunk as Buffer)
        expect(opened.size).toBe(size)
        expect(Buffer.concat(chunks).equals(content)).toBe(true)
      }
    })

    test('a file that is shorter than was said is not written', async () => {
      const { destinationId } = await writeOne('contacts', outgoing('contacts', 'short', { name: 'Short' }))
      const file = outgoing('attachments', 'short', {
        parent: { entity: 'contacts', key: 'x', destinationId },
        file_name: 'x',
      })
      const sent = open().writeFile('attachments', {
        ...file,
        size: 10,
        contentType: null,
        body: Readable.from([Buffer.from('abc')]),
      })
      await expect(sent).rejects.toThrow('another size')
      expect(await findOne('attachments', file)).toBeUndefined()
    })
  })
}

function* split(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; start += 40_000) yield content.subarray(start, start + 40_000)
}
