import { Counter, Histogram, type Registry } from 'prom-client'
import { obstacleCodes } from '../errors.ts'
import { type Signals, watch } from '../signals/signals.ts'
import { among, atMost, statusClass } from './bound-labels.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
export const runKinds = ['plan', 'sample', 'full', 'delta', 'retry', 'preview', 'check', 'removal', 'undo']
/** Far more than the service has. */
const mostRoutes = 500

/** Few buckets: each one is a time series for every route, method and status. */
const answerBuckets = [0.01, 0.05, 0.2, 1, 5]
const requestBuckets = [0.05, 0.2, 1, 5, 20, 60]
const deliveryBuckets = [0.05, 0.2, 1, 5, 15]
const arrivalBuckets = [0.1, 0.5, 1, 5, 30, 300, 3_600, 86_400]

/** Counts the signals of this process. The returned function ends the counting. */
export function countSignals(registry: Registry, { tools }: { tools: readonly string[] }): () => void {
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter<L>({ name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
    new Histogram<L>({ name, help, labelNames, buckets, registers })
  const toolOf = among(tools)
  const methodOf = among(methods)
  const kindOf = among(runKinds)
  // A connector from outside may throw any code.
  const codeOf = among(obstacleCodes)
  const routeOf = atMost(mostRoutes)

  const answers = histogram(
    'wherry_http_request_duration_seconds',
    'Answered requests, by the template of their route.',
    ['route', 'method', 'status'],
    answerBuckets,
  )
  const limited = counter('wherry_rate_limited_total', 'Requests refused with 429, by limit.', ['limit'])
  const pages = counter('wherry_pages_read_total', 'Pages read from sources.', ['tool'])
  const records = counter('wherry_records_read_total', 'Records read from sources.', ['tool'])
  const outcomes = counter('wherry_records_total', 'Committed outcomes of records, by destination tool.', [
    'tool',
    'outcome',
  ])
  const runs = counter('wherry_run_changes_total', 'Runs that started, finished or were paused by an obstacle.', [
    'kind',
    'change',
  ])
  const retries = counter('wherry_retries_total', 'Attempts that failed and are repeated.', ['work'])
  const obstacles = counter('wherry_obstacles_total', 'Obstacles that runs met.', ['code'])
  const asked = histogram(
    'wherry_tool_request_duration_seconds',
    'Requests to tools until the answer began; status "none" without an answer.',
    ['tool', 'status'],
    requestBuckets,
  )
  const deliveries = histogram(
    'wherry_webhook_attempt_duration_seconds',
    'Attempts to deliver a webhook message.',
    ['outcome'],
    deliveryBuckets,
  )
  const arrivals = histogram(
    'wherry_webhook_arrival_seconds',
    'From the commit of a change to the answer of the webhook target.',
    [],
    arrivalBuckets,
  )
  const givenUp = counter('wherry_webhook_given_up_total', 'Webhook messages that were given up.', [])
  const mails = counter('wherry_mails_total', 'Attempts to send a mail.', ['outcome'])

  const ends: (() => void)[] = []
  const on = <N extends keyof Signals>(name: N, count: (signal: Signals[N]) => void) => ends.push(watch(name, count))
  on('answered', ({ route, method, status, seconds }) => {
    const labels = { route: routeOf(route ?? 'none'), method: methodOf(method), status: statusClass(status) }
    answers.observe(labels, seconds)
  })
  on('limited', ({ limit }) => limited.inc({ limit }))
  on('page read', ({ tool, records: count }) => {
    pages.inc({ tool: toolOf(tool) })
    records.inc({ tool: toolOf(tool) }, count)
  })
  on('records settled', ({ tool, outcomes: counts }) => {
    for (const [outcome, count] of Object.entries(counts)) outcomes.inc({ tool: toolOf(tool), outcome }, count)
  })
  on('run changed', ({ kind, change }) => runs.inc({ kind: kindOf(kind), change }))
  on('retried', ({ work }) => retries.inc({ work }))
  on('obstacle met', ({ code }) => obstacles.inc({ code: codeOf(code) }))
  on('tool asked', ({ tool, status, seconds }) =>
    asked.observe({ tool: toolOf(tool), status: statusClass(status) }, seconds),
  )
  on('delivery tried', ({ outcome, seconds, arrivalSeconds }) => {
    deliveries.observe({ outcome }, seconds)
    if (arrivalSeconds !== null) arrivals.observe(arrivalSeconds)
  })
  on('deliveries given up', ({ count }) => givenUp.inc(count))
  on('mail tried', ({ outcome }) => mails.inc({ outcome }))
  return () => {
    for (const end of ends) end()
  }
}
