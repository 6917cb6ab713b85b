/** A client's own keys by name, at the cost of what is shown: others may have stored any number. */
export const keysByClient = `
CREATE INDEX keys_by_client ON documents (owner_id, attributes ->> '$.client', name)
  WHERE kind = 'key' AND state IN ('live', 'erased');
`
