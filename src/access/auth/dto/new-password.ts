/** The rule for new passwords: long enough, and nothing else (NIST SP 800-63B advises against rules about characters). */
export const NEW_PASSWORD = {
  minLength: 10,
  description: 'The new password: at least 10 characters of any kind.',
  example: 'a better horse battery',
} as const;
