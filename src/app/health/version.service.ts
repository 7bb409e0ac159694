import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { ProductVersion } from '../../infrastructure/version/product-version.js';

/** Decides who can read which version runs: everybody can call the health checks, and a commit tells an attacker what is not mended yet. */
@Injectable()
export class VersionService {
  constructor(
    private readonly config: AppConfig,
    private readonly product: ProductVersion,
  ) {}

  /** null for requests from another computer, unless the operator says otherwise. */
  visibleTo(isOnThisComputer: boolean): ProductVersion | null {
    return isOnThisComputer || this.config.showVersion ? this.product : null;
  }
}
