/** @returns a function that runs `work` in a transaction, with its session as the argument */
export const transactionsOf = (client) => (work, options) =>
  client.withSession((session) => session.withTransaction(() => work(session), options));
