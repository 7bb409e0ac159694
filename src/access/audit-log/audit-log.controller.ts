import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { toAuditEntryDto } from './audit.mapper.js';
import { AuditLogService } from './audit-log.service.js';
import { ListAuditLogQuery } from './dto/list-audit-log.query.dto.js';
import { AuditEntryDto } from './dto/audit-entry.dto.js';

/** The endpoint of the audit log. */
@ApiTags('Audit')
@Controller('shops/:shopId/audit')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @RequirePermissions('team:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Read the audit log',
    description: 'What was done to the shop and by whom, newest first, with any combination of filters.',
  })
  @RespondsWith([AuditEntryDto], 'Audit log retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListAuditLogQuery): Promise<Page<AuditEntryDto>> {
    const page = await this.log.list(context, query, query);
    return page.map(toAuditEntryDto);
  }
}
