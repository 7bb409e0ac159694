import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { PageQuery } from '../../http/paging/page.query.dto.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { toAuditEntryDto } from './audit.mapper.js';
import { AuditService } from './audit.service.js';
import { AuditEntryDto } from './dto/audit-entry.dto.js';

@ApiTags('Audit')
@Controller('shops/:shopId/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @RequirePermissions('team:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'Read the audit log', description: 'What was done to the shop and by whom, newest first.' })
  @RespondsWith([AuditEntryDto], 'Audit log retrieved')
  async list(@InShop() context: ShopContext, @Query() query: PageQuery): Promise<Page<AuditEntryDto>> {
    const page = await this.audit.list(context, query);
    return page.map(toAuditEntryDto);
  }
}
