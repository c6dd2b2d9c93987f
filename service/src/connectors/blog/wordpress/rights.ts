export type Use = 'read' | 'write'

/** Rights that we need. Without them, data would be silently missing or every record would be refused. */
const needed: Record<Use, string[]> = {
  read: ['list_users', 'edit_others_posts', 'edit_others_pages', 'edit_private_posts', 'moderate_comments'],
  write: [
    'list_users',
    'publish_posts',
    'publish_pages',
    'edit_others_posts',
    'edit_others_pages',
    'edit_private_posts',
    'delete_others_posts',
    'delete_others_pages',
    'manage_categories',
    'moderate_comments',
    'upload_files',
  ],
}

export const missingRights = (capabilities: Record<string, unknown>, use: Use): string[] =>
  needed[use].filter((name) => capabilities[name] !== true)
