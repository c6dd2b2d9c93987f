import type { PortalUpload } from '../../../service/src/portal/contract.ts'
import { AskFailure, ask, get, send } from '../ask.ts'

/** Shorter parts on a slow line: a request may take 15 seconds. */
const wantedPartMs = 4_000
const waitMs = 1_500

export interface SendOptions {
  signal: AbortSignal
  onProgress: (received: number, size: number) => void
}

/** Sends a file part by part, going on where an earlier try was interrupted. Answers it once its content is read. */
export async function sendUpload(
  file: File,
  begun: PortalUpload | null,
  { signal, onProgress }: SendOptions,
): Promise<PortalUpload> {
  const isSame = begun?.state === 'receiving' && begun.file_name === file.name && begun.size === file.size
  const upload = isSame
    ? begun
    : await send<PortalUpload>('POST', '/uploads', { file_name: file.name, size: file.size })
  let { received } = upload
  let partBytes = upload.part_unit
  onProgress(received, file.size)
  while (received < file.size) {
    signal.throwIfAborted()
    const part = file.slice(received, received + partBytes)
    const start = performance.now()
    received = await sendPart(upload, received, part, signal)
    onProgress(received, file.size)
    partBytes = nextSize(upload, partBytes, performance.now() - start)
  }
  return finish(upload.id, signal)
}

/** How far the upload is after this part. One that did not get through may have arrived in part: the service knows. */
async function sendPart(upload: PortalUpload, offset: number, part: Blob, signal: AbortSignal): Promise<number> {
  const path = `/uploads/${upload.id}`
  for (let tries = 1; ; tries++) {
    try {
      const answer = await ask<{ received: number }>(`${path}/content?offset=${offset}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body: part,
        signal,
      })
      return answer.received
    } catch (error) {
      signal.throwIfAborted()
      const isBroken = error instanceof AskFailure && error.refusal.kind === 'unavailable'
      if (!isBroken || tries >= 4) throw error
      await wait(waitMs * tries)
      const known = await get<PortalUpload>(path, signal).catch(() => null)
      if (known && known.received !== offset) return known.received
    }
  }
}

function nextSize({ part_unit, part_bytes }: PortalUpload, size: number, tookMs: number): number {
  const wanted = (size * wantedPartMs) / Math.max(1, tookMs)
  const units = Math.floor(Math.min(part_bytes, Math.max(part_unit, Math.min(wanted, size * 4))) / part_unit)
  return units * part_unit
}

/** Reading may take longer than one answer waits. */
async function finish(id: string, signal: AbortSignal): Promise<PortalUpload> {
  for (;;) {
    const upload = await send<PortalUpload>('POST', `/uploads/${id}/finish`)
    if (upload.state !== 'reading') return upload
    signal.throwIfAborted()
    await wait(waitMs)
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
