// Incoming mails in old encodings, with file names in every form of RFC 2047 and RFC 2231.

interface Charset {
  charset: string
  type: 'plain' | 'html'
  /** The subject as encoded words of RFC 2047. */
  subject: string
  /** The content in this charset, as base64. */
  content: string
  /** The text as people read it. */
  read: { subject: string; body: string }
}

const japanese = '日本語の件名と本文。'

export const charsets: Charset[] = [
  {
    charset: 'Shift_JIS',
    type: 'plain',
    subject: '=?shift_jis?B?lbaOmiBTSklT?=',
    content: 'k/qWe4zqgsyMj5a8gsaWe5W2gUI=',
    read: { subject: '文字 SJIS', body: japanese },
  },
  {
    charset: 'ISO-2022-JP',
    type: 'plain',
    subject: '=?iso-2022-jp?B?GyRCSjg7ehsoQiBKSVM=?=',
    content: 'GyRCRnxLXDhsJE43b0w+JEhLXEo4ISMbKEI=',
    read: { subject: '文字 JIS', body: japanese },
  },
  {
    charset: 'ISO-8859-15',
    type: 'html',
    subject: '=?iso-8859-15?B?UHJlaXMgNSCk?=',
    content: 'PHA+UHJlaXM6IDUgpCBm/HIgpuFya2EgJmFtcDsgvHV2cmU8L3A+',
    read: { subject: 'Preis 5 €', body: '<p>Preis: 5 € für Šárka &amp; Œuvre</p>' },
  },
  {
    charset: 'windows-1252',
    type: 'plain',
    subject: '=?windows-1252?Q?Smart_=93quotes=94?=',
    content: 'U21hcnQgk3F1b3Rlc5QgliA1IIA=',
    read: { subject: 'Smart “quotes”', body: 'Smart “quotes” – 5 €' },
  },
  {
    charset: 'KOI8-R',
    type: 'plain',
    subject: '=?koi8-r?B?8NLJ18XU?=',
    content: '8NLJ18XULCDNydI=',
    read: { subject: 'Привет', body: 'Привет, мир' },
  },
]

/** The name of a file as the mail writes it, and as people read it. Its bytes must arrive unchanged. */
export const namedFiles = [
  {
    type: 'application/pdf',
    name: "filename*=UTF-8''%e6%97%a5%e6%9c%ac%20%28%c3%bc%29.pdf",
    bytes: Buffer.from('%PDF-1'),
    read: '日本 (ü).pdf',
  },
  {
    type: 'text/plain; charset=Shift_JIS',
    name: "filename*0*=shift_jis''%93%fa%96%7b;\n filename*1*=%8c%ea;\n filename*2=.txt",
    bytes: Buffer.from('93fa967b0d0a', 'hex'),
    read: '日本語.txt',
  },
  {
    type: 'application/octet-stream',
    name: 'filename="=?ISO-8859-15?Q?=A4uro.bin?="',
    bytes: Buffer.from([0, 1, 255]),
    read: '€uro.bin',
  },
  {
    type: 'text/csv; charset=ISO-8859-15',
    name: "filename*=iso-8859-15'de'Gr%F6%DFe%20%A4.csv",
    bytes: Buffer.from('Gr\xf6\xdfe;5 \xa4\r\n', 'latin1'),
    read: 'Größe €.csv',
  },
]

const from = (subject: string, id: string) =>
  `From: omar@customer.example\nTo: rt@live.example\nSubject: ${subject}\nMessage-ID: <${id}@customer.example>\nMIME-Version: 1.0\n`

const encoded = (content: string) => `Content-Transfer-Encoding: base64\n\n${content}\n`

function mailWithFiles(): string {
  const part = (type: string, text: string) =>
    `--ALT\nContent-Type: ${type}; charset=iso-8859-15\nContent-Transfer-Encoding: quoted-printable\n\n${text}\n`
  const files = namedFiles.map(
    ({ type, name, bytes }) =>
      `--MIX\nContent-Type: ${type}\nContent-Disposition: attachment;\n ${name}\n${encoded(bytes.toString('base64'))}`,
  )
  const texts = `${part('text/plain', 'Siehe Anhang: 5 =A4')}${part('text/html', '<p>Siehe <b>Anhang</b>: 5 =A4</p>')}`
  const alternatives = `--MIX\nContent-Type: multipart/alternative; boundary=ALT\n\n${texts}--ALT--\n`
  return `${from('names of files', 'names')}Content-Type: multipart/mixed; boundary=MIX\n\n${alternatives}${files.join('')}--MIX--\n`
}

export const rawMails: string[] = [
  ...charsets.map(
    ({ charset, type, subject, content }) =>
      `${from(subject, charset)}Content-Type: text/${type}; charset=${charset}\n${encoded(content)}`,
  ),
  mailWithFiles(),
]
