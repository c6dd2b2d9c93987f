declare module 'textile-js' {
  export default function textile(source: string, options?: { breaks?: boolean }): string
}
