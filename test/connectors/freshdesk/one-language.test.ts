import { afterEach, expect, test } from 'vitest'
import { outgoing, start } from './start.ts'

// Most accounts have one language, and Freshdesk refuses a contact that names any.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

test('an account with one language takes contacts without their language', async () => {
  const { twin, writer } = await start(cleanup)
  twin.account.languages.others = []
  const { entities } = await writer.describe()
  expect(entities.contacts?.fields.language).toBeUndefined()
  const [outcome] = await writer.write('contacts', [
    outgoing({ name: 'Nora', emails: [{ address: 'n@x.example.com' }] }),
  ])
  expect(outcome).toMatchObject({ result: 'written' })
  twin.expectNoViolations()
})

test('an account with several languages takes the languages of contacts', async () => {
  const { writer } = await start(cleanup)
  const { entities } = await writer.describe()
  expect(entities.contacts?.fields.language).toMatchObject({ options: ['en', 'de', 'es'] })
})
