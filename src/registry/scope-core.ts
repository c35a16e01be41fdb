import type { Approver } from '../approvals/approval.js'
import type { CallScope } from '../pipeline/call-state.js'
import { type Policy, PolicyLayer } from '../pipeline/policy.js'
import { type PresentationMode, ScopeNode } from '../scopes/scope-node.js'
import { isCollapsed, resolveTool, visibleNames } from '../scopes/visibility.js'
import type { ScopeId } from '../tools/call-id.js'
import type { NameIndex } from '../tools/name-index.js'
import type { RegisteredTool } from '../tools/tool-definition.js'

/** A scope's insides: what it lets see, what it makes calls pass through, and what lies under it. */
export class ScopeCore implements CallScope {
  readonly id: ScopeId
  readonly parent: ScopeCore | undefined
  readonly node: ScopeNode
  layer: PolicyLayer
  disposing: Promise<void> | undefined

  constructor(
    id: ScopeId,
    parent: ScopeCore | undefined,
    options: {
      readonly mode?: PresentationMode | undefined
      readonly grants?: readonly string[] | undefined
      readonly approve?: Approver | undefined
    },
  ) {
    this.id = id
    this.parent = parent
    this.node = new ScopeNode(id, parent?.node, options)
    this.layer = new PolicyLayer(id, parent?.layer, options.approve)
  }

  get disposed(): boolean {
    return this.disposing !== undefined || (this.parent?.disposed ?? false)
  }

  resolve(name: string): RegisteredTool | undefined {
    return resolveTool(this.node, name)
  }

  isCollapsed(name: string): boolean {
    return isCollapsed(this.node, name)
  }

  visibleNames(): NameIndex {
    return visibleNames(this.node)
  }

  policy(): Policy {
    return this.layer.effective()
  }

  /** Lets go of what the scope contributed; the stages above it still hear of calls that come too late. */
  release(): void {
    this.node.release()
    if (this.parent !== undefined) this.layer = new PolicyLayer(this.id, this.parent.layer, undefined)
  }

  /** True for this scope and every one above it. */
  isWithin(ancestor: ScopeCore): boolean {
    for (let scope: ScopeCore | undefined = this; scope !== undefined; scope = scope.parent)
      if (scope === ancestor) return true
    return false
  }
}
