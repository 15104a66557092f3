"""Programming languages by file extension, and what counts as a definition in each grammar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language


@dataclass(frozen=True, slots=True)
class Grammar:
    """Node types of one tree-sitter grammar.

    `functions` are kept whole; `containers` (classes, modules) are entered; `wrappers` stand around a
    definition and belong to it (`export …`, decorators, `const f = …`); `values` are functions and
    classes without a name of their own, definitions only inside a wrapper that names them; a node in
    `bodied` is a definition only with a body (`struct point {…}`, not `struct point p`).
    """

    module: str
    functions: frozenset[str]
    containers: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    bodied: frozenset[str] = frozenset()
    language: str = "language"
    separator: str = "."


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


_JS_WRAPPERS = _words(
    "export_statement lexical_declaration variable_declaration variable_declarator expression_statement "
    "assignment_expression field_definition public_field_definition"
)
_JS_VALUES = _words("arrow_function function_expression generator_function class")
_JS_FUNCTIONS = _words("function_declaration generator_function_declaration method_definition")
_TS_CONTAINERS = _words(
    "class_declaration abstract_class_declaration interface_declaration enum_declaration "
    "internal_module module"
)
_C_TYPES = _words("struct_specifier union_specifier enum_specifier class_specifier")

GRAMMARS: dict[str, Grammar] = {
    "python": Grammar(
        "tree_sitter_python",
        _words("function_definition"),
        _words("class_definition"),
        _words("decorated_definition"),
    ),
    "javascript": Grammar(
        "tree_sitter_javascript", _JS_FUNCTIONS, _words("class_declaration"), _JS_WRAPPERS, _JS_VALUES
    ),
    "typescript": Grammar(
        "tree_sitter_typescript",
        _JS_FUNCTIONS,
        _TS_CONTAINERS,
        _JS_WRAPPERS,
        _JS_VALUES,
        language="language_typescript",
    ),
    "tsx": Grammar(
        "tree_sitter_typescript",
        _JS_FUNCTIONS,
        _TS_CONTAINERS,
        _JS_WRAPPERS,
        _JS_VALUES,
        language="language_tsx",
    ),
    "java": Grammar(
        "tree_sitter_java",
        _words("method_declaration constructor_declaration compact_constructor_declaration"),
        _words(
            "class_declaration interface_declaration enum_declaration record_declaration "
            "annotation_type_declaration"
        ),
    ),
    "c": Grammar(
        "tree_sitter_c",
        _words("function_definition") | _C_TYPES,
        wrappers=_words("type_definition"),
        bodied=_C_TYPES,
    ),
    "cpp": Grammar(
        "tree_sitter_cpp",
        _words("function_definition enum_specifier"),
        _words("class_specifier struct_specifier union_specifier namespace_definition"),
        _words("template_declaration type_definition"),
        bodied=_C_TYPES,
        separator="::",
    ),
    "go": Grammar(
        "tree_sitter_go",
        _words("function_declaration method_declaration type_spec"),
        wrappers=_words("type_declaration"),
    ),
    "rust": Grammar(
        "tree_sitter_rust",
        _words("function_item struct_item enum_item union_item macro_definition"),
        _words("impl_item trait_item mod_item"),
        bodied=_words("mod_item"),
        separator="::",
    ),
    "csharp": Grammar(
        "tree_sitter_c_sharp",
        _words("method_declaration constructor_declaration destructor_declaration operator_declaration"),
        _words(
            "namespace_declaration class_declaration struct_declaration interface_declaration "
            "record_declaration enum_declaration"
        ),
    ),
    "ruby": Grammar(
        "tree_sitter_ruby", _words("method singleton_method"), _words("class module singleton_class")
    ),
    "php": Grammar(
        "tree_sitter_php",
        _words("function_definition method_declaration"),
        _words("class_declaration interface_declaration trait_declaration enum_declaration"),
        language="language_php",
    ),
    "bash": Grammar("tree_sitter_bash", _words("function_definition")),
}
LEADING = _words(
    "comment line_comment block_comment decorator attribute_item inner_attribute_item attribute_list"
)
"""What stands above or before a definition and belongs to it: comments, decorators, attributes."""

_EXTENSIONS = {
    "python": "py pyi pyw",
    "javascript": "js mjs cjs jsx",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "java": "java",
    "c": "c h",
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp inl cu cuh",
    "go": "go",
    "rust": "rs",
    "csharp": "cs csx",
    "ruby": "rb rake gemspec",
    "php": "php php3 php4 php5 phtml",
    "bash": "sh bash zsh ksh bats",
    # without a grammar: blocks between blank lines
    "ada": "ada adb ads",
    "asm": "asm s",
    "awk": "awk",
    "batch": "bat cmd",
    "clojure": "clj cljs cljc edn",
    "cmake": "cmake",
    "cobol": "cob cbl",
    "coffeescript": "coffee",
    "common-lisp": "lisp cl el",
    "crystal": "cr",
    "css": "css scss sass less",
    "cython": "pyx pxd pxi",
    "d": "d",
    "dart": "dart",
    "diff": "diff patch",
    "dockerfile": "dockerfile",
    "elixir": "ex exs",
    "elm": "elm",
    "erlang": "erl hrl",
    "fortran": "f f77 f90 f95 f03 f08 for",
    "fsharp": "fs fsi fsx",
    "glsl": "glsl vert frag hlsl wgsl",
    "gradle": "gradle",
    "graphql": "graphql gql",
    "groovy": "groovy",
    "haskell": "hs lhs",
    "ini": "ini cfg conf properties editorconfig env",
    "julia": "jl",
    "kotlin": "kt kts",
    "lua": "lua",
    "make": "mk mak",
    "matlab": "m",
    "nim": "nim nims",
    "nix": "nix",
    "objective-c": "mm",
    "ocaml": "ml mli",
    "pascal": "pas pp dpr",
    "perl": "pl pm t",
    "powershell": "ps1 psm1 psd1",
    "prolog": "pro",
    "protobuf": "proto",
    "r": "r",
    "racket": "rkt",
    "scala": "scala sc sbt",
    "scheme": "scm ss",
    "solidity": "sol",
    "sql": "sql ddl psql",
    "starlark": "bzl star",
    "svelte": "svelte",
    "swift": "swift",
    "tcl": "tcl",
    "terraform": "tf tfvars hcl",
    "thrift": "thrift",
    "toml": "toml",
    "verilog": "v sv svh",
    "vhdl": "vhd vhdl",
    "vim": "vim",
    "visual-basic": "vb vbs bas",
    "vue": "vue",
    "yaml": "yaml yml",
    "zig": "zig",
}
CODE_TYPES: dict[str, str] = {
    f".{extension}": name for name, extensions in _EXTENSIONS.items() for extension in extensions.split()
}
"""File extension with its dot, lower case → type name."""

_NAMES = {
    "makefile": "make",
    "gnumakefile": "make",
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "cmakelists.txt": "cmake",
    "rakefile": "ruby",
    "gemfile": "ruby",
    "vagrantfile": "ruby",
    "jenkinsfile": "groovy",
    "justfile": "make",
    ".env": "ini",
    ".editorconfig": "ini",
}


def code_type(uri: str) -> str | None:
    """The type of a source or settings file by its name (`Makefile`, `.rs`), or None if it is neither."""
    name = uri.rpartition("/")[2].lower()
    return _NAMES.get(name) or CODE_TYPES.get(f".{name.rpartition('.')[2]}" if "." in name else "")


@cache
def load_language(grammar: Grammar) -> Language:
    """The tree-sitter language of a grammar; its compiled module is imported on first use."""
    from importlib import import_module

    from tree_sitter import Language

    return Language(getattr(import_module(grammar.module), grammar.language)())
