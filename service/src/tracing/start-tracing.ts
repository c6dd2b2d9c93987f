import { context, isSpanContextValid, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { setTracer, type Tracer } from '../signals/trace.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }
/** A collector that does not answer must not hold up the end of the service. */
const flushMs = 3_000

/** Sends the steps of this process to a collector by OTLP over HTTP. Loaded only when an endpoint is configured. */
export function startTracing({ endpoint, version }: { endpoint: string; version: string }): { stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'wherry', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1_000, exportTimeoutMillis: flushMs })],
  })
  const spans = provider.getTracer('wherry')
  const tracer: Tracer = {
    begin({ name, kind, parent, attributes = {} }) {
      const cause = parent === null ? null : parseTraceParent(parent)
      const from = cause ? trace.setSpanContext(context.active(), cause) : context.active()
      const span = spans.startSpan(name, { kind: kinds[kind], attributes }, from)
      return {
        traceParent: writeTraceParent(span.spanContext()),
        end({ failed = false, attributes: more } = {}) {
          if (more) span.setAttributes(more)
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
  }
  setTracer(tracer)
  return {
    async stop() {
      setTracer(null)
      await provider.shutdown().catch(() => {})
    },
  }
}

const writeTraceParent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`

/** Null for anything that is no "traceparent" of https://www.w3.org/TR/trace-context/: then a new trace begins. */
export function parseTraceParent(text: string): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? []
  const parsed = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parsed) ? parsed : null
}
