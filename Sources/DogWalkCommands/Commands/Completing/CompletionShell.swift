/// The shells that can complete the words of `dogwalk`, with their scripts.
///
/// A script asks the program for suggestions for the words typed so far, and contains none itself.
enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script that the shell has to run once.
  var script: StaticString {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  /// How to run it whenever the shell starts.
  var installation: String {
    switch self {
    case .bash: "source <(dogwalk completions bash)   # in ~/.bashrc"
    case .zsh: "source <(dogwalk completions zsh)    # in ~/.zshrc, after compinit"
    case .fish: "dogwalk completions fish > ~/.config/fish/completions/dogwalk.fish"
    }
  }

  private static let bashScript: StaticString = #"""
    # dogwalk in bash: source <(dogwalk completions bash)
    _dogwalk() {
      local IFS=$'\n'
      COMPREPLY=($("${COMP_WORDS[0]}" completions bash -- "${COMP_LINE:0:COMP_POINT}" "$COMP_TYPE" 2>/dev/null))
      if [ "${COMPREPLY[0]}" = / ]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
      fi
    }
    complete -o nosort -F _dogwalk dogwalk 2>/dev/null || complete -F _dogwalk dogwalk

    """#

  private static let zshScript: StaticString = #"""
    #compdef dogwalk
    # dogwalk in zsh: source <(dogwalk completions zsh)
    _dogwalk() {
      local line tab=$'\t'
      local -a values shown
      for line in "${(@f)$("${words[1]}" completions zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ $line = / ]] && { _files; return }
        [[ -n $line ]] || continue
        values+=("${line%%$tab*}")
        [[ $line = *$tab* ]] && shown+=("${line/$tab/  -- }") || shown+=("$line")
      done
      compadd -V dogwalk -l -d shown -a values
    }
    # In a folder of $fpath this file is the function, called for the first time.
    if [[ ${funcstack[1]} = _dogwalk ]]; then _dogwalk "$@"; else compdef _dogwalk dogwalk; fi

    """#

  private static let fishScript: StaticString = #"""
    # dogwalk in fish: dogwalk completions fish > ~/.config/fish/completions/dogwalk.fish
    function __dogwalk
      set -l words (commandline -opc)
      set -l found ($words[1] completions fish -- $words[2..-1] (commandline -ct) 2>/dev/null)
      if test "$found[1]" = /
        __fish_complete_path (commandline -ct)
      else
        printf '%s\n' $found
      end
    end
    complete -c dogwalk -f -k -a '(__dogwalk)'

    """#
}
