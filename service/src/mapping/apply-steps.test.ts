import { expect, test } from 'vitest'
import type { Step } from '../db/mapping-changes.ts'
import { applySteps, typeAfter } from './apply-steps.ts'

const run = (text: string | string[], ...steps: Step[]) => applySteps([text].flat(), steps)?.values

test('a text is searched literally, and pattern characters have no special meaning', () => {
  expect(run('a.c abc', { do: 'replace', find: 'a.c', with: '$&!' })).toEqual(['$&! abc'])
  expect(run('aaa', { do: 'replace', find: 'a', with: '' })).toEqual([])
})

test('letters change their case, in any script', () => {
  expect(run('élan VITAL', { do: 'case', as: 'upper' })).toEqual(['ÉLAN VITAL'])
  expect(run('ÄPFEL und BIRNEN', { do: 'case', as: 'lower' })).toEqual(['äpfel und birnen'])
  expect(run('anna-maria DE GROOT', { do: 'case', as: 'title' })).toEqual(['Anna-Maria De Groot'])
  expect(run('"HELLO" WORLD', { do: 'case', as: 'sentence' })).toEqual(['"Hello" world'])
})

test('a part is counted from either end, and a missing part is blank', () => {
  expect(run('Doe, Jane', { do: 'split', by: ',', part: 2 })).toEqual(['Jane'])
  expect(run('a/b/c', { do: 'split', by: '/', part: -1 })).toEqual(['c'])
  expect(run('a/b', { do: 'split', by: '/', part: 3 })).toEqual([])
  expect(run('a, b,,c', { do: 'split', by: ',' })).toEqual(['a', 'b', 'c'])
})

test('a list becomes one text, and steps run in order', () => {
  expect(run(['red', 'blue'], { do: 'join', by: ' + ' }, { do: 'case', as: 'upper' })).toEqual(['RED + BLUE'])
})

test('a date is read in the chosen order, and written as requested', () => {
  expect(run('03/04/2024', { do: 'date', read: 'dmy' })).toEqual(['2024-04-03'])
  expect(run('03/04/2024', { do: 'date', read: 'mdy' })).toEqual(['2024-03-04'])
  expect(run('2024-04-03', { do: 'date', read: 'ymd', write: 'dd.mm.yyyy' })).toEqual(['03.04.2024'])
  expect(run('03/04/2024 14:30', { do: 'date', read: 'dmy' })).toEqual(['2024-04-03T14:30:00.000Z'])
  expect(applySteps(['31/31/2024'], [{ do: 'date', read: 'dmy' }])).toEqual({ values: [], isUnreadable: true })
})

test('a text that is or would become too long stays unchanged', () => {
  const long = 'x'.repeat(200_001)
  expect(applySteps([long], [{ do: 'case', as: 'upper' }])).toBeNull()
  const growing = 'x'.repeat(150_000)
  expect(applySteps([growing], [{ do: 'replace', find: 'x', with: 'y'.repeat(200) }])).toBeNull()
  expect(applySteps([','.repeat(5_000)], [{ do: 'split', by: ',' }])?.values).toEqual([])
  expect(applySteps(['a,'.repeat(5_000)], [{ do: 'split', by: ',' }])).toBeNull()
})

test("a field's type after its steps decides which targets it fits", () => {
  expect(typeAfter({ type: 'option', many: false }, [])).toEqual({ type: 'option', many: false })
  expect(typeAfter({ type: 'text', many: false }, [{ do: 'split', by: ',' }])).toEqual({ type: 'text', many: true })
  expect(typeAfter({ type: 'text', many: false }, [{ do: 'date', read: 'dmy' }])).toEqual({
    type: 'datetime',
    many: false,
  })
})
