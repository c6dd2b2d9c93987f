import { WebhookMessage } from './message.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
})

/** The webhook messages in OpenAPI's form. */
export function describeWebhooks() {
  return {
    importChanged: {
      post: {
        operationId: 'importChanged',
        summary: 'An import has changed',
        description:
          'Sent to your target for every change of status, and when the customer asks you to pay. At least once and in no promised order: `webhook-id` tells what you have seen, `sequence` what is newer. Answer with any 2xx within 15 seconds.',
        tags: ['Webhooks'],
        security: [],
        parameters: [
          header('webhook-id', 'The same in every try of one message'),
          header('webhook-timestamp', 'Seconds since 1970 at the moment of this attempt'),
          header('webhook-signature', 'Signatures by the Standard Webhooks scheme `v1`, one for each valid secret'),
          header(
            'X-Authorization-Content-SHA256',
            'Lowercase hex HMAC-SHA256 of the raw body, keyed with the whole text of the secret',
          ),
        ],
        requestBody: { required: true, content: { 'application/json': { schema: WebhookMessage } } },
        responses: {
          '2XX': { description: 'Taken; the message is not sent again' },
          '410': { description: 'You want no more messages: the target is disabled until the operator sets it again' },
          default: { description: 'Not taken; sent again later, about ten times over three days' },
        },
      },
    },
  }
}
