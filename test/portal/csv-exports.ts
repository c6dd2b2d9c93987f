import type { Family } from '../../service/src/families/index.ts'
import type { CsvExport } from './csv-export.ts'
import { blogExport } from './csv-export-blog.ts'
import { crmExport } from './csv-export-crm.ts'
import { helpdeskExport } from './csv-export-helpdesk.ts'
import { projectExport } from './csv-export-project.ts'

export const exports: Record<Family, CsvExport> = {
  helpdesk: helpdeskExport,
  project: projectExport,
  blog: blogExport,
  crm: crmExport,
}
