/** A response whose version is known before it is built. A client that has this version already gets 304, and nothing is built. */
export class Versioned<Body> {
  constructor(
    /** Everything that decides what the response of this address is. The `ETag` is made from it. */
    readonly version: unknown,
    readonly build: () => Body,
  ) {}

  map<Other>(transform: (body: Body) => Other): Versioned<Other> {
    return new Versioned(this.version, () => transform(this.build()));
  }
}
