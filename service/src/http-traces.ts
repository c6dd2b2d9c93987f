import type { FastifyInstance, FastifyRequest } from 'fastify'
import { beginSpan, isTracing, type Span, withinSpan } from './signals/trace.ts'

/** Makes a step of every request to the APIs. The partner's own trace goes on where its header names one. */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions
    if (route === undefined || route === '/healthz' || route === '/readyz') return done()
    const { traceparent } = request.headers
    const span = beginSpan({
      name: `${request.method} ${route}`,
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : null,
      attributes: { 'http.request.method': request.method, 'http.route': route },
    })
    if (span) spans.set(request, span)
    done()
  })
  // Only here: events of the body's stream would lose the step again.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) withinSpan(span, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode
    spans.get(request)?.end({ failed: status >= 500, attributes: { 'http.response.status_code': status } })
    done()
  })
}
