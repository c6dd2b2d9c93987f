import { access } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { spoolFile } from './spool-file.ts'

const spool = (chunks: Buffer[], cleanup: AsyncDisposableStack) =>
  spoolFile(Readable.from(chunks, { objectMode: false }), cleanup)

test('a file spooled to disk keeps its bytes, and reports whether it is UTF-8', async () => {
  const cases: [Buffer[], boolean][] = [
    [[], true],
    [[Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)], true],
    [[Buffer.from('gr\xfc\xdfe', 'latin1')], false],
    [[Buffer.from('ü').subarray(0, 1)], false],
  ]
  await using cleanup = new AsyncDisposableStack()
  for (const [chunks, isUtf8] of cases) {
    const file = await spool(chunks, cleanup)
    expect(await buffer(file.body)).toEqual(Buffer.concat(chunks))
    expect(file).toMatchObject({ isUtf8, size: Buffer.concat(chunks).length })
  }
})

test('nothing stays on disk, not even of a source that breaks off', async () => {
  const cleanup = new AsyncDisposableStack()
  const { body } = await spool([Buffer.from('a')], cleanup)
  const path = String(body.path)
  await access(path)
  const broken = new Readable({ read: () => broken.destroy(new Error('broke off')) })
  await expect(spoolFile(broken, cleanup)).rejects.toThrow('broke off')
  await cleanup.disposeAsync()
  await expect(access(path)).rejects.toThrow('ENOENT')
})
