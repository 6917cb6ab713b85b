/** Where the pages link and send their forms, unless the model has the address. */
export const PAGE_PATHS = {
  login: '/auth/login',
  logout: '/auth/logout',
  setup: '/auth/setup',
  setupScript: '/auth/setup.js',
  clients: '/auth/clients',
} as const
