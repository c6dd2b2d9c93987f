/**
 * Accepts the address of exactly one mailbox: no name before it, no list, no character that could end a line of a
 * message. The pattern is that of browser forms, the limits are those of SMTP.
 */
export function isMailAddress(text: string): boolean {
  const [local = '', domain = ''] = text.split('@')
  const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
  return (
    text.length <= 254 &&
    local.length <= 64 &&
    text === `${local}@${domain}` &&
    /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/i.test(local) &&
    domain.includes('.') &&
    domain.split('.').every((part) => label.test(part))
  )
}
