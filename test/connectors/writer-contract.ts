import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../service/src/connectors/contract/contract.ts'
import { capabilitiesOf } from '../../service/src/connectors/entity-capabilities.ts'
import { othersAdded } from '../../service/src/connectors/kit/remove.ts'
import { strangersIn } from '../../service/src/engine/count-others.ts'
import { hashRecord } from '../../service/src/engine/hash-record.ts'
import { RetryableError } from '../../service/src/errors.ts'
import type { EntityDefinition } from '../../service/src/families/definition.ts'
import { destinationIdOf, isFileEntity, outgoingRecords } from './outgoing-records.ts'
import { readAll } from './reader-contract.ts'
import {
  afterSettling,
  type Bench,
  expectStored,
  fail,
  findAll,
  findIndifferent,
  isRemovable,
  type OpenedWriter,
  removableOf,
  storedContentOf,
} from './writer-bench.ts'
import { checkDescription } from './writer-description.ts'
import { checkAbortedFile, checkFiles, checkSentAgain, fileOf } from './writer-files.ts'
import { checkParts } from './writer-parts.ts'

export type { OpenedWriter } from './writer-bench.ts'

export interface WriterCase {
  /** Opens an account of one family, which need not be empty. */
  open(): Promise<OpenedWriter>
  /** Tests that cannot hold for this tool: their names, each with the reason. */
  skips?: Readonly<Record<string, string>>
}

/** The duties of every writer, over real HTTP. */
export function describeWriter(name: string, { open, skips = {} }: WriterCase): void {
  describe(`${name} as a writer`, () => {
    let bench: Bench
    let countBefore: number
    /** An entity without relations, if there is one, for the simple tests. */
    let subject: EntityDefinition

    beforeAll(async () => {
      const opened = await open()
      countBefore = await opened.countAll()
      const description = await opened.writer.describe()
      const records = outgoingRecords(opened, description)
      bench = { ...opened, description, records }
      const candidates = records.definitions.filter((one) => !isFileEntity(one.name) && isRemovable(bench, one.name))
      subject = candidates.find(({ isTop }) => isTop) ?? candidates[0] ?? fail('no entity that can be removed')
    })
    afterAll(() => bench?.close())

    const titles: string[] = []
    const check = (title: string, run: () => Promise<void>) => {
      titles.push(title)
      test(title, ({ skip }) => (skips[title] === undefined ? run() : skip(skips[title])))
    }
    const withoutRequired = (record: OutgoingRecord): OutgoingRecord => {
      const taken = bench.description.entities[subject.name]?.fields ?? {}
      const required = Object.keys(taken).find((field) => taken[field]?.required && taken[field]?.type !== 'relation')
      if (required === undefined)
        throw new Error(
          'nothing is required, so nothing can be refused: name this test in `skips` of the twin, with the reason',
        )
      const { [required]: _left, ...fields } = record.fields
      return { ...record, fields }
    }
    const someRecords = (count: number) =>
      Promise.all(Array.from({ length: count }, () => bench.records.record(subject)))

    /** The records that are found by their keys alone, which must be `there`. */
    const findByKeys = (sought: OutgoingRecord[], there = sought) =>
      afterSettling(bench, subject.name, async () => {
        const found = await findAll(bench, subject, sought, [])
        expect(found.map(({ key }) => key).sort(), 'found by their keys').toEqual(there.map(({ key }) => key).sort())
        return found
      })

    check('describe is complete, and agrees with the family', async () =>
      checkDescription(bench.family, bench.description),
    )

    check('every field that the tool takes is described', async () => {
      for (const [entity, fields] of Object.entries(bench.fields ?? {})) {
        const described = Object.keys(bench.description.entities[entity]?.fields ?? {})
        expect(
          fields.filter((field) => !described.includes(field)),
          entity,
        ).toEqual([])
      }
    })

    check('every field that is described is named by the twin, so that its loss would be noticed', async () => {
      const { fields, namesAllFields } = bench
      if (!fields || !namesAllFields) return
      const unnamed = Object.entries(bench.description.entities).flatMap(([entity, described]) =>
        Object.keys(described.fields)
          .filter((field) => !fields[entity]?.includes(field))
          .map((field) => `${entity}.${field}`),
      )
      expect(unnamed, 'add them to destination.fields of the twin').toEqual([])
    })

    check('users are listed, each once', async () => {
      const users = await readAll((cursor) => bench.writer.users(cursor))
      expect(new Set(users.map(({ id }) => id)).size).toBe(users.length)
      expect(users.map(({ id }) => id)).toEqual(expect.arrayContaining([...bench.users]))
    })

    check('every record gets its outcome, in order, and is found', async () => {
      const sent = await someRecords(3)
      const outcomes = await bench.records.write(subject.name, sent)
      expect(outcomes.map(({ key, result }) => `${key} ${result}`)).toEqual(sent.map(({ key }) => `${key} written`))
      const found = await findAll(bench, subject, sent, outcomes)
      expect(found.map(({ key }) => key).sort()).toEqual(sent.map(({ key }) => key).sort())
      for (const outcome of outcomes) {
        const one = found.find(({ key }) => key === outcome.key)
        expect(one?.destinationId).toBe(destinationIdOf(outcome))
        if (outcome.result === 'written') expect(one?.version).toBe(outcome.version)
      }
    })

    check('the same records again double nothing', async () => {
      const sent = await someRecords(2)
      const first = await bench.records.write(subject.name, sent)
      const count = await bench.countAll()
      const { deliveryClass } = capabilitiesOf(bench.description, subject.name)
      // A run never sends such a record again.
      if (deliveryClass === 'D') return
      // If the tool ignores keys, we search before we send again.
      const isSafe = deliveryClass === 'A' || deliveryClass === 'B'
      const found = isSafe ? [] : await findByKeys(sent)
      const again = sent.map((record) => ({
        ...record,
        destinationId: found.find(({ key }) => key === record.key)?.destinationId ?? null,
      }))
      const second = await bench.records.write(subject.name, again)
      expect(second.map(destinationIdOf)).toEqual(first.map(destinationIdOf))
      await findByKeys(sent)
      expect(await bench.countAll()).toBe(count)
    })

    check('a record with its destination id becomes what is sent', async () => {
      const [sent, other] = await someRecords(2)
      if (!sent || !other) return
      const [first] = await bench.records.write(subject.name, [sent])
      const count = await bench.countAll()
      const changed = { ...other, key: sent.key, destinationId: destinationIdOf(first) }
      const [second] = await bench.records.write(subject.name, [changed])
      expect(destinationIdOf(second)).toBe(destinationIdOf(first))
      await expectStored(bench, subject, [changed], [second])
      if (first?.result === 'written' && second?.result === 'written' && first.version !== null) {
        expect(second.version).not.toBe(first.version)
      }
      expect(await bench.countAll()).toBe(count)
    })

    check('whatever is sent again with its destination id stays one thing', () => checkSentAgain(bench))

    check('what was never written is not found', async () => {
      for (const definition of bench.records.definitions) {
        const record = await bench.records.record(definition, { isSmall: true })
        const sought = bench.records.sought(definition, record, null)
        expect(await bench.writer.find(definition.name, [sought]), definition.name).toEqual([])
      }
    })

    check('what is read back of every entity is what asStored says', async () => {
      for (const definition of bench.records.definitions.filter((one) => !isFileEntity(one.name))) {
        const sent = [await bench.records.record(definition, { isSmall: true })]
        for (let seed = 0; seed < 4; seed += 1) sent.push(await bench.records.record(definition, { seed }))
        await expectStored(bench, definition, sent, await bench.records.write(definition.name, sent))
      }
    })

    check('every field makes a difference in asStored', async () => {
      const found = new Set<string>()
      for (const definition of bench.records.definitions) {
        for (let seed = 0; seed < 4; seed += 1) {
          const record = await bench.records.record(definition, { seed })
          for (const field of await findIndifferent(bench, definition.name, record)) found.add(field)
        }
      }
      const advice = 'ignored by asStored, or equal to the value for an empty field: see chooseValue and indifferent'
      expect([...found], advice).toEqual([])
    })

    check('relations of the second pass are added', async () => {
      for (const definition of bench.records.definitions) {
        for (const field of definition.secondPass ?? []) {
          const taken = bench.description.entities[definition.name]?.fields[field]
          // A relation that is fixed at creation needs no second pass.
          if (!taken || bench.description.entities[definition.name]?.fixedRelations?.includes(field)) continue
          const [from, to] = [await bench.records.record(definition), await bench.records.record(definition)]
          const [first, target] = await bench.records.write(definition.name, [from, to])
          const relation = { entity: definition.name, key: to.key, destinationId: destinationIdOf(target) }
          const fields = { ...from.fields, [field]: taken.many ? [relation] : relation }
          const linked = { ...from, fields, destinationId: destinationIdOf(first) }
          const outcomes = await bench.records.write(definition.name, [linked])
          await expectStored(bench, definition, [linked], outcomes)
          const lost = (await findIndifferent(bench, definition.name, linked)).filter((name) =>
            name.endsWith(`.${field}`),
          )
          expect(lost, 'makes a difference in asStored').toEqual([])
        }
      }
    })

    check('a refused record leaves the others', async () => {
      const [one, bad, other] = await someRecords(3)
      if (!one || !bad || !other) return
      const spoiled = bench.spoil?.(subject.name, bad) ?? withoutRequired(bad)
      const outcomes = await bench.records.write(subject.name, [one, spoiled, other])
      const advice = `${subject.name}: the tool accepts it without its required field, so the twin needs spoil`
      expect(
        outcomes.map(({ result }) => result),
        advice,
      ).toEqual(['written', 'refused', 'written'])
      expect(outcomes[1]).toMatchObject({
        key: bad.key,
        code: expect.any(String),
        message: expect.stringMatching(/\w/),
      })
      const isFindable = capabilitiesOf(bench.description, subject.name).deliveryClass !== 'D'
      if (isFindable) await findByKeys([one, bad, other], [one, other])
      else expect(await findAll(bench, subject, [one, other], [outcomes[0], outcomes[2]])).toHaveLength(2)
    })

    check('what was removed is gone, and missing the second time', async () => {
      const sent = await someRecords(2)
      const outcomes = await bench.records.write(subject.name, sent)
      const removable = sent.map((record, index) => removableOf(bench, subject, record, outcomes[index]))
      const remove = async () => (await bench.writer.remove(subject.name, removable)).map(({ result }) => result)
      expect(await remove()).toEqual(['removed', 'removed'])
      expect(await findAll(bench, subject, sent, outcomes)).toEqual([])
      expect(await remove()).toEqual(['missing', 'missing'])
      bench.records.forget(sent.map(({ key }) => key))
    })

    check('what people have edited is kept', async () => {
      const [sent] = await someRecords(1)
      if (!sent) return
      const [outcome] = await bench.records.write(subject.name, [sent])
      const removable = removableOf(bench, subject, sent, outcome)
      await bench.editByHand(subject.name, removable.destinationId)
      // Without a version, the engine compares the stored content with the written content.
      if (removable.version === null) {
        const [found] = await bench.writer.find(subject.name, [removable])
        expect(found && hashRecord(found)).not.toEqual(hashRecord(await storedContentOf(bench, subject.name, sent)))
      } else {
        expect(await bench.writer.remove(subject.name, [removable])).toMatchObject([{ key: sent.key, result: 'kept' }])
        expect(await bench.writer.find(subject.name, [removable])).toHaveLength(1)
      }
      const forced = await bench.writer.remove(subject.name, [{ ...removable, version: null }])
      expect(forced).toMatchObject([{ result: 'removed' }])
      bench.records.forget([sent.key])
    })

    check('what a record carries arrives with it, and each part has its own outcome', () => checkParts(bench))
    check('files arrive byte for byte, whatever their size and name', () => checkFiles(bench))
    check('a file that breaks off leaves nothing', () => checkAbortedFile(bench))

    check('a server that does not answer is an error, and never "not there"', async () => {
      const { dead, records } = bench
      const [sent] = await someRecords(1)
      if (!sent) return
      const removable = { ...records.sought(subject, sent, '1'), destinationId: '1', version: null }
      const acts: (() => Promise<unknown>)[] = [
        () => dead.describe(),
        () => dead.users(null),
        () => dead.write(subject.name, [sent]),
        () => dead.find(subject.name, [removable]),
        () => dead.remove(subject.name, [removable]),
      ]
      for (const act of acts) await expect(act()).rejects.toThrow(RetryableError)
      const files = records.definitions.find((definition) => isFileEntity(definition.name))
      if (!files) return
      const file = await fileOf(bench, files, Buffer.from('a'))
      await expect(dead.writeFile(files.name, file)).rejects.toThrow(RetryableError)
      expect(file.body.destroyed).toBe(true)
    })

    check('messages that others add to a record can be told from ours, and keep the record', async () => {
      const { writer, records } = bench
      const ids = new Set(records.written.map(({ outcome }) => destinationIdOf(outcome)))
      for (const { entity, record, outcome } of records.written) {
        const definition = records.definitions.find((one) => one.name === entity) ?? fail(entity)
        if (outcome.result !== 'written' || isFileEntity(entity)) continue
        const removable = removableOf(bench, definition, record, outcome)
        const [found] = await writer.find(entity, [removable])
        if (!found?.inside || found.version === null) continue
        const { inside } = found
        const strangersAmong = (more: string[][]) =>
          strangersIn({ ...inside, ids: [...inside.ids, ...more] }, (id) => ids.has(id))
        const about = `messages in ${entity} ${removable.destinationId} that nobody wrote`
        expect(strangersAmong([]), about).toEqual([])
        expect(strangersAmong([['of others']]), `${about}, with one more`).toEqual([['of others']])
        const remove = () => writer.remove(entity, [{ ...removable, version: found.version }], async () => [1])
        expect(await remove()).toMatchObject([{ result: 'kept', message: othersAdded }])
      }
    })

    check('everything that was written can be removed, and nothing else is', async () => {
      const { writer, records, countAll } = bench
      const left = [...records.written].reverse().filter(({ entity }) => isRemovable(bench, entity))
      for (const { entity, record, outcome } of left) {
        const definition = records.definitions.find((one) => one.name === entity) ?? fail(entity)
        if (outcome.result === 'matched') continue
        const removal = await writer.remove(entity, [removableOf(bench, definition, record, outcome)])
        expect(removal, entity).toMatchObject([{ key: record.key, result: 'removed' }])
      }
      const sides = bench.sides?.() ?? []
      if (sides.length > 0) await writer.removeSides?.(sides, { isForced: false })
      const stays = records.written.filter(({ entity }) => bench.description.entities[entity]?.removal === 'never')
      expect(await countAll()).toBe(countBefore + stays.length)
    })

    const unknown = Object.keys(skips).filter((title) => !titles.includes(title))
    if (unknown.length > 0) throw new Error(`there is no such test to skip: ${unknown.join(', ')}`)
  })
}
