/** The command templates of one version of a product. It never changes: orders and deliveries refer to it. */
export interface CommandList {
  readonly id: string;
  readonly shopId: string;
  readonly commands: readonly string[];
}
