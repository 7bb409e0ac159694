/** What a route answers in place of its usual data and message; `@Answers` names the class of the data. */
export class OtherAnswer<Data extends object> {
  constructor(
    readonly data: Data,
    readonly message: string,
  ) {}
}
