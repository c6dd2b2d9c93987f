export { createWherry, type Wherry, type WherryOptions } from './client.ts'
export {
  type ApiErrorCode,
  type FieldMessages,
  type FieldName,
  WherryConnectionError,
  WherryError,
  type WherryErrorCode,
} from './errors.ts'
export type * from './types.ts'
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from './verify-webhook.ts'
