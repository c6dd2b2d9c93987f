import { AsyncLocalStorage } from 'node:async_hooks'

/** A step of a trace under way. */
export interface Span {
  /** The step as the header "traceparent" names it. */
  traceParent: string
  end(result?: { failed?: boolean; attributes?: Record<string, string | number> }): void
}

export interface Step {
  name: string
  kind: 'server' | 'client' | 'internal'
  /** The header "traceparent" of the step that caused this one; null begins a new trace. */
  parent: string | null
  attributes?: Record<string, string | number>
}

export interface Tracer {
  begin(step: Step): Span
}

const current = new AsyncLocalStorage<string>()
let tracer: Tracer | null = null

/** Traces every step of this process from now on; null ends it. */
export function setTracer(next: Tracer | null): void {
  tracer = next
}

export const isTracing = (): boolean => tracer !== null

/** The step that this code works for, as the header "traceparent"; null outside of a trace. */
export const currentTrace = (): string | null => current.getStore() ?? null

/** Begins a step that is ended by hand; null while nobody traces. */
export const beginSpan = (step: Step): Span | null => tracer?.begin(step) ?? null

/** Calls back as a part of this step. */
export const withinSpan = <T>({ traceParent }: Span, act: () => T): T => current.run(traceParent, act)

/** Does some work as one step of a trace. Nothing is added to it while nobody traces. */
export async function traced<T>(step: Step, act: () => Promise<T>): Promise<T> {
  const span = beginSpan(step)
  if (!span) return act()
  try {
    const result = await withinSpan(span, act)
    span.end()
    return result
  } catch (error) {
    span.end({ failed: true })
    throw error
  }
}
