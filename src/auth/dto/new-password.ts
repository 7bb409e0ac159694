/** The rule for passwords that are set, wherever one is: long enough (NIST SP 800-63B asks for no kinds of characters). */
export const NEW_PASSWORD = {
  minLength: 10,
  maxLength: 128,
  description: 'At least 10 characters; no rules about kinds of characters.',
  example: 'a better horse battery',
} as const;
