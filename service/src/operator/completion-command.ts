import { Argument, type Command } from 'commander'
import { type Shell, shells, writeCompletion } from './write-completion.ts'

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices([...shells]))
    .addHelpText(
      'after',
      `
To load it in every new shell:
  bash  wherry completion bash > ~/.local/share/bash-completion/completions/wherry
  zsh   wherry completion zsh > "\${fpath[1]}/_wherry"
  fish  wherry completion fish > ~/.config/fish/completions/wherry.fish`,
    )
    .action((shell: Shell) => {
      process.stdout.write(writeCompletion(program, shell))
    })
}
