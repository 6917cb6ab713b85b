import { MemoryError } from '../core/errors.ts'
import { hasCode } from '../util/error-code.ts'
import { type ListenAddress, showAddress } from './listen-address.ts'

/** Explains why listening failed, and how to fix it; an unknown error is returned unchanged. */
export function explainListenError(cause: Error, address: ListenAddress): Error {
  const where = showAddress(address)
  if (hasCode(cause, 'EADDRINUSE')) {
    const message = `${where} is in use, perhaps by another remindb; stop that one, or choose another port with --listen`
    return new MemoryError('UNAVAILABLE', message, { cause })
  }
  if (hasCode(cause, 'EACCES', 'EPERM')) {
    const message = `this user may not listen on ${where}; choose a port above 1023 with --listen`
    return new MemoryError('FORBIDDEN', message, { cause })
  }
  if (hasCode(cause, 'EADDRNOTAVAIL', 'EAFNOSUPPORT')) {
    const message = `this machine has no address ${address.host}; choose another with --listen`
    return new MemoryError('INVALID_INPUT', message, { cause })
  }
  return cause
}
