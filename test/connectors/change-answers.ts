import type { Outbound } from '../../service/src/outbound/outbound.ts'

/** Changes the JSON of every answer to a request with this path. */
export const changeAnswers = (
  outbound: Outbound,
  path: string,
  // biome-ignore lint/suspicious/noExplicitAny: whatever the tool answered
  change: (json: any) => void,
): Outbound => ({
  ...outbound,
  async request(address, options) {
    const answer = await outbound.request(address, options)
    if (new URL(address).pathname !== path) return answer
    const json: unknown = JSON.parse(answer.body)
    change(json)
    const body = JSON.stringify(json)
    return { ...answer, body, pieces: [new Uint8Array(Buffer.from(body))] }
  },
})
