/** The record types of every HubSpot account, by their name in addresses. */
export const kinds = [
  'contacts',
  'companies',
  'deals',
  'tickets',
  'notes',
  'calls',
  'emails',
  'meetings',
  'tasks',
  'communications',
  'postal_mail',
] as const
export type Kind = (typeof kinds)[number]

export const isKind = (text: string | undefined): text is Kind => kinds.includes(text as Kind)

export const singular: Record<Kind, string> = {
  contacts: 'contact',
  companies: 'company',
  deals: 'deal',
  tickets: 'ticket',
  notes: 'note',
  calls: 'call',
  emails: 'email',
  meetings: 'meeting_event',
  tasks: 'task',
  communications: 'communication',
  postal_mail: 'postal_mail',
}

export const typeIds: Record<Kind, string> = {
  contacts: '0-1',
  companies: '0-2',
  deals: '0-3',
  tickets: '0-5',
  notes: '0-46',
  calls: '0-48',
  emails: '0-49',
  meetings: '0-47',
  tasks: '0-27',
  communications: '0-18',
  postal_mail: '0-116',
}

/** The properties of an answer when none are requested. */
export const shownByDefault: Record<Kind, readonly string[]> = {
  contacts: ['createdate', 'email', 'firstname', 'hs_object_id', 'lastmodifieddate', 'lastname'],
  companies: ['createdate', 'domain', 'hs_lastmodifieddate', 'hs_object_id', 'name'],
  deals: [
    'amount',
    'closedate',
    'createdate',
    'dealname',
    'dealstage',
    'hs_lastmodifieddate',
    'hs_object_id',
    'pipeline',
  ],
  tickets: [
    'content',
    'createdate',
    'hs_lastmodifieddate',
    'hs_object_id',
    'hs_pipeline',
    'hs_pipeline_stage',
    'hs_ticket_category',
    'hs_ticket_priority',
    'subject',
  ],
  notes: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
  calls: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
  emails: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
  meetings: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
  tasks: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
  communications: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
  postal_mail: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
}

/** To create a record, one field of each list is required. */
export const needed: Record<Kind, readonly (readonly string[])[]> = {
  contacts: [['email', 'firstname', 'lastname']],
  companies: [['name', 'domain']],
  deals: [['dealname'], ['dealstage']],
  tickets: [['subject'], ['hs_pipeline_stage']],
  notes: [['hs_timestamp']],
  calls: [['hs_timestamp']],
  emails: [['hs_timestamp'], ['hs_email_direction']],
  meetings: [['hs_timestamp']],
  tasks: [['hs_timestamp']],
  communications: [['hs_timestamp'], ['hs_communication_channel_type']],
  postal_mail: [['hs_timestamp']],
}

export const isActivity = (kind: Kind) => !['contacts', 'companies', 'deals', 'tickets'].includes(kind)
/** Contacts have other names for these times than all other kinds. */
export const madeName = (kind: Kind) => (isActivity(kind) ? 'hs_createdate' : 'createdate')
export const changedName = (kind: Kind) => (kind === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate')

/** `name:type`, followed by the choices of an enumeration. A `!` in front marks properties that only HubSpot sets. */
const words: Record<Kind, string> = {
  contacts: `email:string firstname:string lastname:string phone:phone_number mobilephone:phone_number fax:string
    company:string jobtitle:string salutation:string address:string city:string state:string zip:string country:string
    website:string date_of_birth:string industry:string message:string hs_language:enumeration=en,de,fr,es
    lifecyclestage:enumeration=subscriber,lead,opportunity,customer,other
    hs_lead_status:enumeration=NEW,OPEN,IN_PROGRESS,CONNECTED !createdate:datetime !lastmodifieddate:datetime
    !associatedcompanyid:number hs_additional_emails:enumeration`,
  companies: `name:string domain:string website:string phone:phone_number address:string address2:string city:string
    state:string zip:string country:string description:string
    industry:enumeration=ACCOUNTING,BANKING,COMPUTER_SOFTWARE,FARMING,HOSPITALITY
    type:enumeration=PROSPECT,PARTNER,RESELLER,VENDOR,OTHER numberofemployees:number annualrevenue:number
    founded_year:string timezone:string linkedin_company_page:string
    lifecyclestage:enumeration=subscriber,lead,opportunity,customer,other
    !createdate:datetime !hs_lastmodifieddate:datetime !hs_parent_company_id:number`,
  deals: `dealname:string amount:number dealstage:enumeration pipeline:enumeration closedate:datetime
    createdate:datetime description:string closed_lost_reason:string closed_won_reason:string
    dealtype:enumeration=newbusiness,existingbusiness hs_priority:enumeration=low,medium,high
    deal_currency_code:enumeration=EUR,USD,GBP hs_next_step:string !hs_lastmodifieddate:datetime
    !hs_deal_stage_probability:number !hs_is_closed:bool !hs_is_closed_won:bool`,
  tickets: `subject:string content:string hs_pipeline:enumeration hs_pipeline_stage:enumeration createdate:datetime
    closed_date:datetime hs_ticket_priority:enumeration=LOW,MEDIUM,HIGH,URGENT
    hs_ticket_category:enumeration=PRODUCT_ISSUE,BILLING_ISSUE,FEATURE_REQUEST,GENERAL_INQUIRY
    source_type:enumeration=CHAT,EMAIL,FORM,PHONE hs_resolution:string hs_file_upload:string
    !hs_lastmodifieddate:datetime`,
  notes: 'hs_note_body:string',
  calls: `hs_call_title:string hs_call_body:string hs_call_duration:number hs_call_from_number:string
    hs_call_to_number:string hs_call_disposition:string hs_call_recording_url:string
    hs_call_direction:enumeration=INBOUND,OUTBOUND
    hs_call_status:enumeration=BUSY,CALLING_CRM_USER,CANCELED,COMPLETED,CONNECTING,FAILED,IN_PROGRESS,NO_ANSWER,QUEUED,RINGING`,
  emails: `hs_email_subject:string hs_email_text:string hs_email_html:string hs_email_headers:string
    hs_email_direction:enumeration=EMAIL,INCOMING_EMAIL,FORWARDED_EMAIL
    hs_email_status:enumeration=BOUNCED,FAILED,SCHEDULED,SENDING,SENT`,
  meetings: `hs_meeting_title:string hs_meeting_body:string hs_internal_meeting_notes:string hs_meeting_location:string
    hs_meeting_external_url:string hs_meeting_start_time:datetime hs_meeting_end_time:datetime
    hs_meeting_outcome:enumeration=SCHEDULED,COMPLETED,RESCHEDULED,NO_SHOW,CANCELED`,
  tasks: `hs_task_subject:string hs_task_body:string hs_task_reminders:string
    hs_task_status:enumeration=NOT_STARTED,IN_PROGRESS,WAITING,DEFERRED,COMPLETED
    hs_task_priority:enumeration=NONE,LOW,MEDIUM,HIGH hs_task_type:enumeration=EMAIL,CALL,TODO`,
  communications: `hs_communication_body:string hs_communication_logged_from:enumeration=CRM
    hs_communication_channel_type:enumeration=SMS,WHATS_APP,LINKEDIN_MESSAGE`,
  postal_mail: 'hs_postal_mail_body:string',
}
const ofActivities =
  'hs_timestamp:datetime hs_attachment_ids:enumeration !hs_createdate:datetime !hs_lastmodifieddate:datetime'
const ofAll = 'hubspot_owner_id:enumeration !hs_object_id:number'

export interface Property {
  name: string
  label: string
  type: string
  fieldType: string
  groupName: string
  description: string
  options: { label: string; value: string; hidden: boolean; displayOrder: number; description: string }[]
  hasUniqueValue: boolean
  /** OWNER for a property whose choices are the people of the account. */
  referencedObjectType?: string
  externalOptions?: boolean
  /** Lists have a sensitive property only on request. */
  dataSensitivity?: 'sensitive' | 'highly_sensitive'
  hubspotDefined: boolean
  readOnly: boolean
  createdAt: string
  updatedAt: string
}

export const groupOf = (kind: Kind) => (isActivity(kind) ? 'engagement' : `${singular[kind]}information`)

const fieldTypes: Record<string, string> = {
  enumeration: 'select',
  number: 'number',
  datetime: 'date',
  date: 'date',
  bool: 'booleancheckbox',
  phone_number: 'phonenumber',
}

export function propertiesOf(kind: Kind, at: string): Property[] {
  const all = `${words[kind]} ${isActivity(kind) ? ofActivities : ''} ${ofAll}`
  return all.split(/\s+/).map((text) => {
    const [, mark, name = '', type = '', values] = /^(!?)(\w+):(\w+)(?:=(.+))?$/.exec(text) ?? []
    return {
      name,
      label: name.replace(/^hs_/, '').replaceAll('_', ' '),
      type,
      fieldType: ['hs_attachment_ids', 'hs_additional_emails'].includes(name)
        ? 'checkbox'
        : (fieldTypes[type] ?? 'text'),
      groupName: groupOf(kind),
      description: '',
      options: (values?.split(',') ?? []).map((value, displayOrder) => ({
        label: value.toLowerCase(),
        value,
        hidden: false,
        displayOrder,
        description: '',
      })),
      hasUniqueValue: name === 'email' && kind === 'contacts',
      hubspotDefined: true,
      readOnly: mark === '!',
      createdAt: at,
      updatedAt: at,
    }
  })
}
