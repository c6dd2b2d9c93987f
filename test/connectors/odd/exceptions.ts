/** Effects of odd values that are meant: the tool, the request with the place in its answer, and the effect. */
export const exceptions: readonly (readonly [tool: string, place: RegExp, effect: RegExp])[] = [
  // Records that the tool marks as deleted are left out.
  ['zendesk', /\.(deleted|active|status) = /, /is lost$/],
  ['freshdesk', /\.?(deleted|spam) = /, /is lost$/],
  ['helpscout', /\.(state|status|type) = /, /is lost$/],
  ['intercom', /\.(archived|part_type|ticket|redacted) = /, /is lost$/],
  ['pipedrive', /\.(is_deleted|active_flag|is_archived) = /, /is lost$/],
  // Where a list, a link or a file does not say whose it is, the request is repeated: nothing gets lost untold.
  ['hubspot', /\/associations\/.* (results\.\*\.(from|to)|errors)/, /^RetryableError: HubSpot answered/],
  ['hubspot', / results\.\*\.(properties|stages) = /, /^RetryableError: HubSpot answered/],
  ['helpscout', /oauth2/, /^RetryableError: Help Scout answered with no token/],
  // A label without words or of an unknown field is no tag; records that have it say so.
  ['pipedrive', /Fields data\.\*\.(options|field_|is_custom_field)/, /is lost$/],
  // Nobody can tell what these would have named.
  ['hubspot', /properties\.hs_attachment_ids = /, /is lost$/],
  ['freshdesk', /\/search\/contacts /, /^collaborators of .* is lost untold$/],
  ['helpscout', /_embedded(\.attachments)? = /, /is lost/],
  ['zendesk', /group_memberships\.\*\./, /^agents of .* is lost untold$/],
  ['hubspot', /\.stages = /, /is lost$/],
  // The language of the shelves of an article, its shelf, and the channel of a conversation without its first message.
  ['freshdesk', / hierarchy/, /^locale of .* is lost untold$/],
  ['intercom', /\.parent_ids = /, /^category of .* is lost untold$/],
  ['intercom', /\.company = /, /^organization of .* is lost untold$/],
  ['intercom', /\.source = /, /^channel of .* is lost untold$/],
]
