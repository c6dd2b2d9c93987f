/** Effects of odd values that are meant: the tool, the request with the place in its answer, and the effect. */
export const exceptions: readonly (readonly [tool: string, place: RegExp, effect: RegExp])[] = [
  // Records that the tool marks as deleted are left out.
  ['zendesk', /\.(deleted|active|status) = /, /is lost$/],
  ['freshdesk', /\.?(deleted|spam) = /, /is lost$/],
  ['helpscout', /\.(state|status|type) = /, /is lost$/],
  ['intercom', /\.(archived|part_type|ticket|redacted) = /, /is lost$/],
  ['pipedrive', /\.(is_deleted|active_flag|is_archived) = /, /is lost$/],
  // A label without words or of an unknown field is no tag; records that have it say so.
  ['pipedrive', /Fields data\.\*\.(options|field_|is_custom_field)/, /^record (organizations|persons)-\d+ is lost$/],
  // Its note says so where the note itself is read.
  ['hubspot', /\/search results\.\*\.properties/, /^record \w+-\d+-\d+ is lost$/],
  // Without a token no request can be sent.
  ['helpscout', /oauth2/, /^RetryableError: Help Scout answered with no token/],
]
