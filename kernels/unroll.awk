# SPDX-License-Identifier: BSD-3-Clause
#
# Repeats lines of a kernel body, which are C but for these:
#
#     //: each g v in 0,0 0,1 1,0 1,1     what stands up to the end is written once for each
#     //: end                             item, with its values in place of $g and $v
#     //: list four = 0 1 2 3             a list with a name, which is then @four
#     //: text source x n                 what stands up to the end is written wherever its name
#     //: end                             stands, with values in place of $x and $n, as in
#     //: source y j-1
#
# What is replaced has one letter, and no list's name begins another one's.
#
# The bodies repeat lines instead of indexing arrays because the vectors of SVE and RVV, whose
# size is not known when they are compiled, cannot be elements of one.

{ line[NR] = $0 }

END { write(1, NR) }

function write(i, last,    text, word, items, n, k) {
    for (; i <= last; i++) {
        text = with_values(line[i])
        n = split(text, word, " ")
        if (word[1] != "//:") {
            print text
        } else if (word[2] == "list") {
            list[word[3]] = substr(text, index(text, "=") + 1)
        } else if (word[2] == "text") {
            begin[word[3]] = i
            i = end_of(i)
        } else if (word[2] == "each") {
            n = split(substr(text, index(text, " in ") + 4), items, " ")
            for (k = 1; k <= n; k++)
                write_with(i, items[k])
            i = end_of(i)
        } else {
            write_with(begin[word[2]], substr(text, index(text, word[2])))
        }
    }
}

# What begins on line i, with these values for the names that stand there.
function write_with(i, values,    names, value_of, n, k) {
    n = split(line[i], names, " ")
    split(values, value_of, names[2] == "each" ? "," : " ")
    for (k = 3; k <= n && names[k] != "in"; k++)
        value[names[k]] = value_of[k - 2]
    write(i + 1, end_of(i) - 1)
    while (--k >= 3)
        delete value[names[k]]
}

# The line that ends what begins on line i.
function end_of(i,    depth) {
    for (depth = 1; depth > 0; depth += (line[i] ~ /\/\/: (each|text) /) - (line[i] ~ /\/\/: end/))
        i++
    return i
}

function with_values(text,    name) {
    if (text ~ /[$]/)
        for (name in value)
            gsub("[$]" name, value[name], text)
    if (text ~ /@/)
        for (name in list)
            gsub("@" name, list[name], text)
    return text
}
