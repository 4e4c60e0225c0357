// Written by `wisp hooks install opencode`; `wisp hooks uninstall opencode` removes it. What you change here is lost.
// It hands each command of the tool `bash` to wisp, which answers with one that runs it in a sandbox.
import { spawnSync } from "node:child_process"

const hook = []

// A conversation that another one has started, a task, works in the sandbox of that one.
const first = async (client, id) => {
  const { data } = await client.session.get({ path: { id }, throwOnError: true })
  return data.parentID ? first(client, data.parentID) : id
}

export const WispHook = async ({ client, directory, worktree }) => ({
  "tool.execute.before": async (call, output) => {
    if (call.tool !== "bash") return
    // Outside of a repository, OpenCode calls the root its work tree.
    const project = worktree && worktree !== "/" ? worktree : directory
    const session = await first(client, call.sessionID)
    const asked = { session_id: session, project, cwd: directory, tool_name: call.tool, tool_input: output.args }
    const ran = spawnSync(hook[0], hook.slice(1), { input: JSON.stringify(asked), encoding: "utf8", timeout: 60000 })
    let answer = null
    try {
      answer = JSON.parse(ran.stdout)
    } catch {}
    if (ran.status !== 0 || typeof answer?.command !== "string") {
      const reason = answer?.reason || ran.stderr?.trim() || ran.error?.message || "its hook gave no answer"
      throw new Error(`wisp did not let this command run: ${reason}`)
    }
    output.args.command = answer.command
  },
})
