/** A page that loads nothing but, if it has one, its script. Only this style applies. */
export interface HtmlPage {
  html: string
  /** The content of its `<style>`. */
  style: string
  /** Whether it has forms: they may be sent to this server. */
  hasForm?: boolean
  /** Whether it has a script, from a file of this server. */
  hasScript?: boolean
}
