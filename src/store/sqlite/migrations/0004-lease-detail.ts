/** What the holder of a lease last did: other processes on the memory show it too. */
export const leaseDetail = `
ALTER TABLE leases ADD COLUMN detail TEXT;
`
