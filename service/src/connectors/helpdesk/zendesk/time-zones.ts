// Zendesk has its own names for time zones, those of Ruby on Rails: https://developer.zendesk.com/rest_api/docs/core/users
// It answers with the name of the zone in the IANA database, too. If several of its names have one zone, the first is
// written.

/** Zones whose name in Zendesk is the last part of the IANA name. */
const plain: Readonly<Record<string, string>> = {
  Africa: 'Casablanca Monrovia Cairo Harare Nairobi',
  America:
    'Tijuana Chihuahua Mazatlan Mexico_City Monterrey Bogota Lima Caracas La_Paz Santiago Montevideo Puerto_Rico',
  Asia: `Jerusalem Kuwait Riyadh Baghdad Tehran Muscat Baku Tbilisi Yerevan Kabul Karachi Tashkent Kolkata Kathmandu
    Dhaka Almaty Novosibirsk Rangoon Bangkok Jakarta Krasnoyarsk Chongqing Hong_Kong Urumqi Kuala_Lumpur Singapore
    Taipei Irkutsk Ulaanbaatar Seoul Tokyo Yakutsk Vladivostok Magadan Srednekolymsk Kamchatka`,
  Atlantic: 'Azores',
  Australia: 'Perth Darwin Adelaide Melbourne Sydney Brisbane Hobart',
  Europe: `Dublin London Lisbon Belgrade Bratislava Budapest Ljubljana Prague Sarajevo Skopje Warsaw Zagreb Brussels
    Copenhagen Madrid Paris Amsterdam Berlin Zurich Rome Stockholm Vienna Bucharest Helsinki Riga Sofia Tallinn Vilnius
    Athens Istanbul Minsk Kaliningrad Moscow Volgograd Samara`,
  Pacific: 'Guam Port_Moresby Fiji Auckland',
}

const named: Readonly<Record<string, string>> = {
  'Etc/GMT+12': 'International Date Line West',
  'Pacific/Midway': 'Midway Island',
  'Pacific/Pago_Pago': 'American Samoa',
  'Pacific/Honolulu': 'Hawaii',
  'America/Juneau': 'Alaska',
  'America/Los_Angeles': 'Pacific Time (US & Canada)',
  'America/Denver': 'Mountain Time (US & Canada)',
  'America/Phoenix': 'Arizona',
  'America/Chicago': 'Central Time (US & Canada)',
  'America/Regina': 'Saskatchewan',
  'America/Guatemala': 'Central America',
  'America/New_York': 'Eastern Time (US & Canada)',
  'America/Indiana/Indianapolis': 'Indiana (East)',
  'America/Halifax': 'Atlantic Time (Canada)',
  'America/St_Johns': 'Newfoundland',
  'America/Sao_Paulo': 'Brasilia',
  'America/Argentina/Buenos_Aires': 'Buenos Aires',
  'America/Guyana': 'Georgetown',
  'America/Godthab': 'Greenland',
  'America/Nuuk': 'Greenland',
  'Atlantic/South_Georgia': 'Mid-Atlantic',
  'Etc/UTC': 'UTC',
  UTC: 'UTC',
  'Africa/Algiers': 'West Central Africa',
  'Europe/Kiev': 'Kyiv',
  'Europe/Kyiv': 'Kyiv',
  'Africa/Johannesburg': 'Pretoria',
  'Asia/Yekaterinburg': 'Ekaterinburg',
  'Asia/Colombo': 'Sri Jayawardenepura',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Yangon': 'Rangoon',
  'Asia/Shanghai': 'Beijing',
  'Pacific/Noumea': 'New Caledonia',
  'Pacific/Tongatapu': "Nuku'alofa",
  'Pacific/Apia': 'Samoa',
}

/** Zones of islands, whose names end with an abbreviation. */
const islands: Readonly<Record<string, string>> = {
  'Atlantic/Cape_Verde': 'Cape Verde',
  'Pacific/Guadalcanal': 'Solomon',
  'Pacific/Majuro': 'Marshall',
  'Pacific/Fakaofo': 'Tokelau',
  'Pacific/Chatham': 'Chatham',
}
const islandZones = Object.entries(islands).map(([zone, name]): [string, string] => [zone, `${name} Is.`])

const plainZones = Object.entries(plain).flatMap(([area, cities]) =>
  cities.split(/\s+/).map((city): [string, string] => [`${area}/${city}`, city.replaceAll('_', ' ')]),
)

const byZone = [...plainZones, ...islandZones, ...Object.entries(named)]

/** Zendesk's names of time zones, by their IANA names and by themselves: other tools use the names of Rails, too. */
export const zoneNames: ReadonlyMap<string, string> = new Map([
  ...byZone,
  ...byZone.map(([, name]): [string, string] => [name, name]),
])
