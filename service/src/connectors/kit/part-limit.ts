import type { CountedAnswer, CountedRequest, LimitBucket } from '../../outbound/limits.ts'

type Which = RegExp | ((request: CountedRequest) => boolean)

const isOf = (which: Which, request: CountedRequest) =>
  typeof which === 'function' ? which(request) : which.test(`${request.method} ${request.url.pathname}`)

/**
 * A limit that holds for some requests alone, and that only their answers tell. A pattern matches method and path, such
 * as `PUT /api/v2/tickets/1`.
 */
export const partLimit = (
  name: string,
  which: Which,
  {
    learn,
    costOf = () => 1,
    ...bucket
  }: Pick<LimitBucket, 'perMs' | 'limit'> & {
    learn?: (answer: CountedAnswer) => ReturnType<NonNullable<LimitBucket['learn']>>
    costOf?: (request: CountedRequest) => number
  },
): LimitBucket => ({
  ...{ name, ...bucket, cost: (request) => (isOf(which, request) ? costOf(request) : 0) },
  ...(learn && { learn: (answer, request) => (isOf(which, request) ? learn(answer) : null) }),
})
