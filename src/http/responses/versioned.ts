/** A response whose version is known before it is built. A client that has this version already gets 304, and nothing is built. */
export class Versioned<Body> {
  constructor(
    /** Everything that decides what the response of this address is. The `ETag` is made from it. */
    readonly version: unknown,
    readonly build: () => Body,
    /** How long everybody may use it without asking again. */
    readonly freshMs: number,
  ) {}

  map<Other>(transform: (body: Body) => Other): Versioned<Other> {
    return new Versioned(this.version, () => transform(this.build()), this.freshMs);
  }
}
