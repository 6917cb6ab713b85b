/** Every text colour has a contrast of 4.5 or more on the grounds it stands on, every control and focus ring 3: tested. */
export type Palette = Readonly<Record<PaletteColor, `#${string}`>>
type PaletteColor =
  | 'ground'
  | 'card'
  | 'inset'
  | 'text'
  | 'quiet'
  | 'line'
  | 'control'
  | 'accent'
  | 'button'
  | 'buttonHover'
  | 'buttonText'
  | 'danger'
  | 'dangerGround'
  | 'caution'
  | 'cautionGround'
  | 'good'
  | 'goodGround'

export const LIGHT: Palette = {
  ground: '#f5f5f4',
  card: '#ffffff',
  inset: '#f6f6f5',
  text: '#1c1b19',
  quiet: '#63605a',
  line: '#e4e2de',
  control: '#8f8b84',
  accent: '#3657c9',
  button: '#1f1e1b',
  buttonHover: '#3a3834',
  buttonText: '#ffffff',
  danger: '#a92a22',
  dangerGround: '#fdf1ef',
  caution: '#7a4d05',
  cautionGround: '#fdf5e4',
  good: '#1d6b3c',
  goodGround: '#edf7f0',
}

export const DARK: Palette = {
  ground: '#121212',
  card: '#1b1b1a',
  inset: '#232321',
  text: '#edece9',
  quiet: '#a5a29b',
  line: '#30302d',
  control: '#75726b',
  accent: '#93aaff',
  button: '#edece9',
  buttonHover: '#ffffff',
  buttonText: '#1b1b1a',
  danger: '#ff9d94',
  dangerGround: '#351d1b',
  caution: '#f0c36d',
  cautionGround: '#33290f',
  good: '#86d6a2',
  goodGround: '#16301f',
}
