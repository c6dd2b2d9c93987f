import type { PortalUpload, PortalUploadFile } from '../../../service/src/portal/upload-contract.ts'
import { AskFailure, ask, get, send } from '../ask.ts'

/** The wanted time per part: a slow line gets smaller parts, because a request may take 15 seconds at most. */
const wantedPartMs = 4_000
const waitMs = 1_500

export interface SendOptions {
  signal: AbortSignal
  /** Reports the progress of the file at this index. */
  onProgress: (index: number, received: number) => void
}

/**
 * Sends files part by part. An interrupted upload continues where it stopped. Returns the problems of single files
 * once the files have been read.
 */
export async function sendFiles(
  files: readonly File[],
  begun: PortalUpload | null,
  { signal, onProgress }: SendOptions,
): Promise<string[]> {
  const refused: string[] = []
  let upload = begun
  for (const [index, file] of files.entries()) {
    signal.throwIfAborted()
    try {
      const sent: { upload: PortalUpload; file: PortalUploadFile } = await announce(file, upload)
      upload = sent.upload
      await sendFile(sent.upload, sent.file, file, signal, (received) => onProgress(index, received))
    } catch (error) {
      const messages = error instanceof AskFailure && error.refusal.kind === 'refused' && error.refusal.fields.size
      if (!messages) throw error
      refused.push(...messages.map((message) => `${file.name}: ${message}`))
    }
  }
  // If no file is accepted, the earlier upload stays unchanged.
  const isChanged = upload !== null && upload !== begun
  if (upload && (isChanged || upload.state === 'receiving')) await finishUpload(upload.id, signal)
  return refused
}

/** Finds the file in the upload if it was begun earlier. Otherwise announces a new file. */
async function announce(file: File, upload: PortalUpload | null) {
  const isSame = ({ file_name, size }: PortalUploadFile) => file_name === file.name && size === file.size
  const known = upload?.files.find(isSame)
  if (upload && known) return { upload, file: known }
  const path = upload ? `/uploads/${upload.id}/files` : '/uploads'
  const answer = await send<PortalUpload>('POST', path, { file_name: file.name, size: file.size })
  const added = answer.files.at(-1)
  if (!added) throw new AskFailure({ kind: 'unavailable', reference: null })
  return { upload: answer, file: added }
}

async function sendFile(
  upload: PortalUpload,
  { number, received: before }: PortalUploadFile,
  file: File,
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<void> {
  let received = before
  let partBytes = upload.part_unit
  onProgress(received)
  while (received < file.size) {
    signal.throwIfAborted()
    const part = file.slice(received, received + partBytes)
    const start = performance.now()
    received = await sendPart(upload, number, received, part, signal)
    onProgress(received)
    partBytes = nextSize(upload, partBytes, performance.now() - start)
  }
}

/**
 * Sends a part and returns the new position. After a failure it asks the service for the position, because some bytes
 * may have arrived.
 */
async function sendPart(
  upload: PortalUpload,
  number: number,
  offset: number,
  part: Blob,
  signal: AbortSignal,
): Promise<number> {
  const path = `/uploads/${upload.id}`
  for (let tries = 1; ; tries++) {
    try {
      const answer = await ask<{ received: number }>(`${path}/content?file=${number}&offset=${offset}`, {
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
      const received = known?.files.find((file) => file.number === number)?.received
      if (received !== undefined && received !== offset) return received
    }
  }
}

function nextSize({ part_unit, part_bytes }: PortalUpload, size: number, tookMs: number): number {
  const wanted = (size * wantedPartMs) / Math.max(1, tookMs)
  const units = Math.floor(Math.min(part_bytes, Math.max(part_unit, Math.min(wanted, size * 4))) / part_unit)
  return units * part_unit
}

/** Starts the reading of the files and waits for its end, which can take several requests. */
export async function finishUpload(id: string, signal?: AbortSignal): Promise<PortalUpload> {
  for (;;) {
    const upload = await send<PortalUpload>('POST', `/uploads/${id}/finish`)
    if (upload.state !== 'reading') return upload
    signal?.throwIfAborted()
    await wait(waitMs)
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
