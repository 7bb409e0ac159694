/** Time zones in which code that counts hours fails: with half and quarter hours, with changes at midnight, with a skipped day. */
export const TIME_ZONES: readonly string[] = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Havana',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Africa/Casablanca',
];
